// What commit-once needs of a store. Guarantees an adapter gives (its suite: test/ports/commit-port.ts):
//  1. send is atomic: record, effect and claim are all stored or none is.
//  2. The record is stored only where no record with its key exists, expired or not; likewise the claim.
//  3. One send is one request on the wire, never retried underneath, and ends within timeoutMs; a refusal
//     that comes without what stands in the way is settled by one consistent read within the same time.
//  4. Two sends of one prepared commit carry the same bytes; with the same token they are one write.
//  5. Nothing is put on the wire once maySend() says no; the answer is then `not-applied`.
//  6. `not-applied` and the refusals are certain. Whatever is not certain is `unknown`.
//  7. A consistent read sees every write that was acknowledged before it began.
//  8. A record that comes back was parsed; one that does not parse is thrown as a fault, never guessed at.
//  9. `none` is said only by a consistent read whose answer names the table that was asked. Any other
//     empty answer is `failed`: it proves nothing.

import type { EpochMs } from '#idempotency/epoch.ts';
import type { AbandonedRecord, CommittedRecord, IdempotencyRecord } from '#idempotency/record.ts';

export type SendOptions = {
  /** At most 36 characters, not derived from the idempotency key. */
  readonly token: string;
  readonly timeoutMs: number;
  /** Asked right before the bytes leave. */
  readonly maySend: () => boolean;
  /** An earlier try of this write got no answer: it may have been applied, and may still be. */
  readonly afterUnknown: boolean;
};

/** Why a try certainly wrote nothing. `refused` will not get better by trying again. */
export type NotApplied = {
  readonly kind: 'not-applied';
  readonly why: 'conflict' | 'throttled' | 'unreachable' | 'not-sent' | 'refused';
};
export type Unknown = { readonly kind: 'unknown'; readonly why: string };

/** A permanent claim on a business key: who holds it. */
export type Claim = {
  readonly recordKey: string;
  readonly resourceId: string;
  readonly createdAtMs: EpochMs;
};

export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'record-exists'; readonly record: IdempotencyRecord }
  | { readonly kind: 'claim-taken'; readonly claim: Claim }
  | NotApplied
  | Unknown;

export type PutAbandonedResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'record-exists'; readonly record: IdempotencyRecord }
  | NotApplied
  | Unknown;

export type ReadOptions = { readonly consistent: boolean; readonly timeoutMs: number };
export type ReadResult<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** Proven absent. */
  | { readonly kind: 'none' }
  /** Nothing is known: no answer, or one that proves nothing. */
  | { readonly kind: 'failed' };

/** What was found, seen otherwise. */
export function mapFound<A, B>(read: ReadResult<A>, map: (value: A) => B): ReadResult<B> {
  return read.kind === 'found' ? { kind: 'found', value: map(read.value) } : read;
}

export type PreparedCommit = { readonly send: (options: SendOptions) => Promise<CommitResult> };

export type RecordReader = {
  readonly readRecord: (
    recordKey: string,
    options: ReadOptions,
  ) => Promise<ReadResult<IdempotencyRecord>>;
};

export type CommitPort<Effect> = RecordReader & {
  /** Builds every item and checks its size. Touches no table. */
  readonly prepare: (record: CommittedRecord, effect: Effect) => PreparedCommit;
  /** The claim that this effect would make, if it makes one: who holds it now. */
  readonly readClaim: (effect: Effect, options: ReadOptions) => Promise<ReadResult<Claim>>;
};

export type AbandonPort = RecordReader & {
  readonly putAbandoned: (
    record: AbandonedRecord,
    options: SendOptions,
  ) => Promise<PutAbandonedResult>;
  /** Puts `record` in the place of `previous`, if that still stands there unchanged. */
  readonly renewAbandoned: (
    record: AbandonedRecord,
    previous: AbandonedRecord,
    options: SendOptions,
  ) => Promise<PutAbandonedResult>;
};
