// The record of one intent, and the verdict over it. The order of the verdicts is the contract's:
// abandoned, expired, other parameters, replay.

import type { EpochMs, EpochSeconds } from '#idempotency/epoch.ts';
import { compareFingerprints, type Fingerprint } from '#idempotency/fingerprint.ts';
import { isExpired } from '#idempotency/retention.ts';

type RecordBase = {
  readonly recordKey: string;
  /** The attempt that wrote it: how an attempt recognises its own success after a lost answer. */
  readonly attemptId: string;
  readonly committedAtMs: EpochMs;
  readonly expiresAtMs: EpochMs;
  readonly purgeAtSeconds: EpochSeconds;
};

export type CommittedRecord = RecordBase & {
  readonly state: 'committed';
  readonly fingerprint: Fingerprint;
  /** The answer, as bytes, made before the write. */
  readonly receipt: Uint8Array;
  /** What the intent made. */
  readonly resourceId: string;
};

export type AbandonedRecord = RecordBase & { readonly state: 'abandoned' };

export type IdempotencyRecord = CommittedRecord | AbandonedRecord;

export type Verdict =
  | { readonly kind: 'abandoned'; readonly record: AbandonedRecord }
  | { readonly kind: 'expired'; readonly record: CommittedRecord }
  | { readonly kind: 'unreadable' }
  | {
      readonly kind: 'reused';
      readonly record: CommittedRecord;
      readonly members: readonly string[];
    }
  | { readonly kind: 'replayed'; readonly record: CommittedRecord };

/** What a stored record means for an attempt with this fingerprint at this instant. */
export function judge(record: IdempotencyRecord, sent: Fingerprint, nowMs: EpochMs): Verdict {
  if (record.state === 'abandoned') return { kind: 'abandoned', record };
  if (isExpired(record, nowMs)) return { kind: 'expired', record };
  const comparison = compareFingerprints(record.fingerprint, sent);
  switch (comparison.kind) {
    case 'unknown-version':
      return { kind: 'unreadable' };
    case 'different':
      return { kind: 'reused', record, members: comparison.members };
    case 'same':
      return { kind: 'replayed', record };
  }
}
