// Commit-once: an intent and its de-duplication record are written in one transaction or not at all,
// and whatever the store or the network does, the caller is told only what is certain.
// The whole table of architecture.md stands here, and nowhere else.
// Must never: answer from anything uncommitted, take an empty read for proof, or leave a write under way.

import type {
  Claim,
  CommitPort,
  CommitResult,
  NotApplied,
  ReadResult,
  Unknown,
} from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import type { Fingerprint } from '#idempotency/fingerprint.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import {
  type AbandonedRecord,
  type CommittedRecord,
  type IdempotencyRecord,
  judge,
} from '#idempotency/record.ts';
import { admit } from '#idempotency/retention.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import type { Tries } from '#idempotency/tries.ts';

/** A time-stamped key older than this is likely a retry, milliseconds. */
const LIKELY_RETRY_AGE_MS = 2_000;

export type CommitRequest<Effect> = {
  readonly key: IdempotencyKey;
  /** Complete, with the answer in it: made before the write, given again byte for byte. */
  readonly record: CommittedRecord;
  readonly effect: Effect;
};

/** There is nothing that this attempt would be a retry of. */
export type NoReplay = { readonly kind: 'no-replay'; readonly record?: IdempotencyRecord };

/** What an attempt knows when its body cannot be executed: only a replay can answer it. */
export type ReplayRequest = {
  readonly recordKey: string;
  readonly fingerprint: Fingerprint;
};

export type CommitOptions = {
  readonly tries: Tries;
  readonly retention: RetentionPolicy;
  /** The caller's X-Request-Attempt; 1 when absent. A hint, never a proof. */
  readonly attemptHint: number;
  /** The shortcut before the write; correctness never rests on it. */
  readonly readFirst: boolean;
};

export type CommitOutcome =
  | { readonly kind: 'created'; readonly record: CommittedRecord; readonly recovered: boolean }
  | { readonly kind: 'replayed'; readonly record: CommittedRecord }
  | {
      readonly kind: 'reused';
      readonly record: CommittedRecord;
      readonly members: readonly string[];
    }
  | {
      readonly kind: 'expired';
      readonly resourceId?: string;
      /** When the record or the claim was committed, if one tells. */
      readonly committedAtMs?: EpochMs;
    }
  | { readonly kind: 'abandoned'; readonly record: AbandonedRecord }
  | { readonly kind: 'claim-taken'; readonly resourceId: string }
  | { readonly kind: 'in-future'; readonly retryAfterMs: number }
  | { readonly kind: 'outcome-unknown' }
  | { readonly kind: 'store-unavailable' }
  | { readonly kind: 'deadline-passed' };

/** Executes an intent once. Takes at most the budget; touches no table when it is spent on entry. */
export async function commitOnce<Effect>(
  request: CommitRequest<Effect>,
  port: CommitPort<Effect>,
  options: CommitOptions,
): Promise<CommitOutcome> {
  const { key, record, effect } = request;
  const prepared = port.prepare(record, effect);
  if (options.tries.budget.remainingForWritesMs() <= 0) return { kind: 'deadline-passed' };
  const admission = () => admit(key, options.tries.clock.nowMs(), options.retention);
  if (admission().kind !== 'admitted') return answerUnadmitted(request, port, options);
  const shortcut = await replayIfLikelyRetry(request, port, options);
  if (shortcut) return shortcut;

  const halted = () => admission().kind !== 'admitted';
  const sending = await options.tries.write(
    async (send) => settleResult(await prepared.send(send), request, options),
    halted,
  );
  if (sending.kind === 'settled') return sending.value.outcome;
  if (sending.unknown) return settleUnknown(request, port, options);
  if (sending.why === 'halted') return answerUnadmitted(request, port, options);
  return { kind: options.tries.ranOutOfTime(sending) ? 'deadline-passed' : 'store-unavailable' };
}

/**
 * For a body that validation refuses: a retry of what an earlier, laxer release accepted is still
 * answered from its record. One consistent read.
 * @returns `no-replay` where it is not the same intent; with the record that stands under the key, if one does
 */
export async function replayOnly(
  request: ReplayRequest,
  port: Pick<CommitPort<never>, 'readRecord'>,
  options: CommitOptions,
): Promise<CommitOutcome | NoReplay> {
  if (options.tries.budget.remainingForWritesMs() <= 0) return { kind: 'deadline-passed' };
  const read = await options.tries.read((o) => port.readRecord(request.recordKey, o));
  if (read.kind === 'failed') return { kind: 'store-unavailable' };
  if (read.kind === 'none') return { kind: 'no-replay' };
  const record = read.value;
  const verdict = judge(record, request.fingerprint, options.tries.clock.nowMs());
  if (verdict.kind === 'unreadable') return { kind: 'outcome-unknown' };
  return verdict.kind === 'replayed' ? verdict : { kind: 'no-replay', record };
}

type SettledCommit = { readonly kind: 'outcome'; readonly outcome: CommitOutcome };

/** One answer of the store: what it settles, or why it settles nothing. */
function settleResult<Effect>(
  result: CommitResult,
  request: CommitRequest<Effect>,
  options: CommitOptions,
): SettledCommit | NotApplied | Unknown {
  switch (result.kind) {
    case 'committed':
      return settled({ kind: 'created', record: request.record, recovered: false });
    case 'record-exists':
      return settled(outcomeOf(result.record, request, options));
    case 'claim-taken':
      return settled(outcomeOfClaim(result.claim, request));
    case 'not-applied':
    case 'unknown':
      return result;
  }
}

/** A record in hand decides. Written by this attempt: created, whatever was heard of it before. */
function outcomeOf<Effect>(
  record: IdempotencyRecord,
  request: CommitRequest<Effect>,
  options: CommitOptions,
): CommitOutcome {
  if (record.state === 'committed' && record.attemptId === request.record.attemptId) {
    return { kind: 'created', record, recovered: true };
  }
  const verdict = judge(record, request.record.fingerprint, options.tries.clock.nowMs());
  switch (verdict.kind) {
    case 'expired':
      return {
        kind: 'expired',
        resourceId: verdict.record.resourceId,
        committedAtMs: verdict.record.committedAtMs,
      };
    case 'unreadable':
      return { kind: 'outcome-unknown' };
    case 'abandoned':
    case 'reused':
    case 'replayed':
      return verdict;
  }
}

/** A claim made under this very key: the intent was committed and its record is gone. */
function outcomeOfClaim<Effect>(claim: Claim, request: CommitRequest<Effect>): CommitOutcome {
  return claim.recordKey === request.record.recordKey
    ? { kind: 'expired', resourceId: claim.resourceId, committedAtMs: claim.createdAtMs }
    : { kind: 'claim-taken', resourceId: claim.resourceId };
}

/** Some try may have been applied. Only a record proves something; its absence proves nothing. */
async function settleUnknown<Effect>(
  request: CommitRequest<Effect>,
  port: CommitPort<Effect>,
  options: CommitOptions,
): Promise<CommitOutcome> {
  const read = await readRecord(request, port, options);
  return read.kind === 'found'
    ? outcomeOf(read.value, request, options)
    : { kind: 'outcome-unknown' };
}

/** The key is too old, or not yet of this time: the record says what became of it, if there is one. */
async function answerUnadmitted<Effect>(
  request: CommitRequest<Effect>,
  port: CommitPort<Effect>,
  options: CommitOptions,
): Promise<CommitOutcome> {
  const admission = admit(request.key, options.tries.clock.nowMs(), options.retention);
  const read = await readRecord(request, port, options);
  if (read.kind === 'failed') return { kind: 'store-unavailable' };
  if (read.kind === 'found') return outcomeOf(read.value, request, options);
  if (admission.kind === 'in-future') {
    return {
      kind: 'in-future',
      retryAfterMs: admission.admissibleFromMs - options.tries.clock.nowMs(),
    };
  }
  const claim = await options.tries.read((o) => port.readClaim(request.effect, o));
  if (claim.kind === 'failed') return { kind: 'store-unavailable' };
  return claim.kind === 'found' && claim.value.recordKey === request.record.recordKey
    ? outcomeOfClaim(claim.value, request)
    : { kind: 'expired' };
}

/** A retry is cheaper to answer by a read than by a transaction that fails. Only a hit answers. */
async function replayIfLikelyRetry<Effect>(
  request: CommitRequest<Effect>,
  port: CommitPort<Effect>,
  options: CommitOptions,
): Promise<CommitOutcome | undefined> {
  const { key } = request;
  const aged =
    key.kind === 'time-stamped' &&
    options.tries.clock.nowMs() - key.mintedAtMs > LIKELY_RETRY_AGE_MS;
  if (!options.readFirst || !(options.attemptHint > 1 || aged)) return undefined;
  const read = await options.tries.glance((o) => port.readRecord(request.record.recordKey, o));
  if (read.kind !== 'found') return undefined;
  const verdict = judge(read.value, request.record.fingerprint, options.tries.clock.nowMs());
  return verdict.kind === 'replayed' ? verdict : undefined;
}

function readRecord<Effect>(
  { record }: CommitRequest<Effect>,
  port: CommitPort<Effect>,
  { tries }: CommitOptions,
): Promise<ReadResult<IdempotencyRecord>> {
  return tries.read((o) => port.readRecord(record.recordKey, o));
}

function settled(outcome: CommitOutcome): SettledCommit {
  return { kind: 'outcome', outcome };
}
