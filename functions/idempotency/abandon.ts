// Makes sure that an intent will not be executed, if it has not been: an abandoned record is put where
// a create would put its own, under the same condition. What is stored decides; one of the two wins.
// Must never: say abandoned on the strength of a read that found nothing.

import type { CommitEnvironment } from '#idempotency/commit-once.ts';
import type { AbandonPort, PutAbandonedResult, SendOptions } from '#idempotency/commit-port.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { readWithin } from '#idempotency/read-within.ts';
import type { AbandonedRecord, CommittedRecord, IdempotencyRecord } from '#idempotency/record.ts';
import { isBelowFloor, isExpired, keyHorizon, recordLife } from '#idempotency/retention.ts';
import { ranOutOfTime, sendUntilSettled } from '#idempotency/store-tries.ts';

export type AbandonRequest = {
  readonly key: IdempotencyKey;
  readonly recordKey: string;
  readonly attemptId: string;
};

export type AbandonEnvironment = Omit<CommitEnvironment, 'attemptHint' | 'readFirst'>;

export type AbandonOutcome =
  | {
      readonly kind: 'abandoned';
      readonly record: AbandonedRecord;
      /** A committed record of this key may already have been purged. */
      readonly mayHaveBeenExecuted: boolean;
    }
  | { readonly kind: 'committed'; readonly record: CommittedRecord }
  | { readonly kind: 'outcome-unknown' }
  | { readonly kind: 'store-unavailable' }
  | { readonly kind: 'deadline-passed' };

export async function abandonOnce(
  request: AbandonRequest,
  port: AbandonPort,
  env: AbandonEnvironment,
): Promise<AbandonOutcome> {
  const mine = abandonedRecord(request, env);
  const first = await put(env, (options) => port.putAbandoned(mine, options));
  const found = await standing(first, mine, port, env);
  if (found.kind !== 'standing') return found;
  const previous = found.record;
  if (previous.state === 'committed') return { kind: 'committed', record: previous };
  if (!isExpired(previous, env.clock.nowMs()) || previous.attemptId === request.attemptId) {
    return abandoned(previous, request, env);
  }

  const renewal = { ...abandonedRecord(request, env), committedAtMs: previous.committedAtMs };
  const renewed = await put(env, (options) => port.renewAbandoned(renewal, previous, options));
  const now = await standing(renewed, renewal, port, env);
  if (now.kind !== 'standing') return now;
  if (now.record.state === 'committed') return { kind: 'committed', record: now.record };
  if (now.record.attemptId === previous.attemptId) return { kind: 'outcome-unknown' };
  return abandoned(now.record, request, env);
}

type PutEnd =
  | Exclude<PutAbandonedResult, { kind: 'not-applied' | 'unknown' }>
  | { readonly kind: 'unsettled'; readonly unknown: boolean; readonly outOfTime: boolean };

async function put(
  env: AbandonEnvironment,
  send: (options: SendOptions) => Promise<PutAbandonedResult>,
): Promise<PutEnd> {
  const result = await sendUntilSettled(send, () => false, env);
  if (result.kind === 'settled') return result.value;
  return {
    kind: 'unsettled',
    unknown: result.unknown,
    outOfTime: ranOutOfTime(result, env.budget),
  };
}

/** The record that stands under the key now, or why that cannot be told. */
async function standing(
  end: PutEnd,
  mine: AbandonedRecord,
  port: AbandonPort,
  env: AbandonEnvironment,
): Promise<
  | { readonly kind: 'standing'; readonly record: IdempotencyRecord }
  | Exclude<AbandonOutcome, { kind: 'abandoned' | 'committed' }>
> {
  if (end.kind === 'committed') return { kind: 'standing', record: mine };
  if (end.kind === 'record-exists' && end.record) return { kind: 'standing', record: end.record };
  if (end.kind === 'unsettled' && !end.unknown) {
    return { kind: end.outOfTime ? 'deadline-passed' : 'store-unavailable' };
  }
  const read = await readWithin(env, (options) => port.readRecord(mine.recordKey, options));
  return read.kind === 'found'
    ? { kind: 'standing', record: read.value }
    : { kind: 'outcome-unknown' };
}

function abandoned(
  record: AbandonedRecord,
  request: AbandonRequest,
  env: AbandonEnvironment,
): AbandonOutcome {
  const horizon = keyHorizon(request.key, env.retention);
  const mayHaveBeenExecuted =
    isBelowFloor(request.key, env.retention) ||
    (horizon !== undefined && record.committedAtMs >= horizon.definitiveUntilMs);
  return { kind: 'abandoned', record, mayHaveBeenExecuted };
}

function abandonedRecord(request: AbandonRequest, env: AbandonEnvironment): AbandonedRecord {
  const nowMs = env.clock.nowMs();
  return {
    state: 'abandoned',
    recordKey: request.recordKey,
    attemptId: request.attemptId,
    committedAtMs: nowMs,
    ...recordLife(request.key, nowMs, env.retention),
  };
}
