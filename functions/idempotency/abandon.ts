// Makes sure that an intent will not be executed, if it has not been: an abandoned record is put where
// a create would put its own, under the same condition. What is stored decides; one of the two wins.
// Must never: say abandoned on the strength of a read that found nothing.

import type { CommitOptions } from '#idempotency/commit-once.ts';
import type {
  AbandonPort,
  PutAbandonedResult,
  ReadResult,
  SendOptions,
} from '#idempotency/commit-port.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { AbandonedRecord, CommittedRecord, IdempotencyRecord } from '#idempotency/record.ts';
import { isBelowFloor, isExpired, keyHorizon, recordLife } from '#idempotency/retention.ts';

export type AbandonRequest = {
  readonly key: IdempotencyKey;
  readonly recordKey: string;
  readonly attemptId: string;
};

export type AbandonOptions = Pick<CommitOptions, 'tries' | 'retention'>;

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
  options: AbandonOptions,
): Promise<AbandonOutcome> {
  const read = (recordKey: string) => options.tries.read((o) => port.readRecord(recordKey, o));
  const mine = abandonedRecord(request, options);
  const first = await put(options, (o) => port.putAbandoned(mine, o));
  const found = await standing(first, mine, read);
  if (found.kind !== 'standing') return found;
  const previous = found.record;
  if (previous.state === 'committed') return { kind: 'committed', record: previous };
  if (
    !isExpired(previous, options.tries.clock.nowMs()) ||
    previous.attemptId === request.attemptId
  ) {
    return abandoned(previous, request, options);
  }

  const renewal = { ...abandonedRecord(request, options), committedAtMs: previous.committedAtMs };
  const renewed = await put(options, (o) => port.renewAbandoned(renewal, previous, o));
  const now = await standing(renewed, renewal, read);
  if (now.kind !== 'standing') return now;
  if (now.record.state === 'committed') return { kind: 'committed', record: now.record };
  if (now.record.attemptId === previous.attemptId) return { kind: 'outcome-unknown' };
  return abandoned(now.record, request, options);
}

type PutEnd =
  | Exclude<PutAbandonedResult, { kind: 'not-applied' | 'unknown' }>
  | { readonly kind: 'unsettled'; readonly unknown: boolean; readonly outOfTime: boolean };

async function put(
  { tries }: AbandonOptions,
  send: (options: SendOptions) => Promise<PutAbandonedResult>,
): Promise<PutEnd> {
  const result = await tries.write(send);
  if (result.kind === 'settled') return result.value;
  return {
    kind: 'unsettled',
    unknown: result.unknown,
    outOfTime: tries.ranOutOfTime(result),
  };
}

/** The record that stands under the key now, or why that cannot be told. */
async function standing(
  end: PutEnd,
  mine: AbandonedRecord,
  read: (recordKey: string) => Promise<ReadResult<IdempotencyRecord>>,
): Promise<
  | { readonly kind: 'standing'; readonly record: IdempotencyRecord }
  | Exclude<AbandonOutcome, { kind: 'abandoned' | 'committed' }>
> {
  if (end.kind === 'committed') return { kind: 'standing', record: mine };
  if (end.kind === 'record-exists') return { kind: 'standing', record: end.record };
  if (!end.unknown) return { kind: end.outOfTime ? 'deadline-passed' : 'store-unavailable' };
  const found = await read(mine.recordKey);
  return found.kind === 'found'
    ? { kind: 'standing', record: found.value }
    : { kind: 'outcome-unknown' };
}

function abandoned(
  record: AbandonedRecord,
  request: AbandonRequest,
  options: AbandonOptions,
): AbandonOutcome {
  const horizon = keyHorizon(request.key, options.retention);
  const mayHaveBeenExecuted =
    isBelowFloor(request.key, options.retention) ||
    (horizon !== undefined && record.committedAtMs >= horizon.definitiveUntilMs);
  return { kind: 'abandoned', record, mayHaveBeenExecuted };
}

function abandonedRecord(request: AbandonRequest, options: AbandonOptions): AbandonedRecord {
  const nowMs = options.tries.clock.nowMs();
  return {
    state: 'abandoned',
    recordKey: request.recordKey,
    attemptId: request.attemptId,
    committedAtMs: nowMs,
    ...recordLife(request.key, nowMs, options.retention),
  };
}
