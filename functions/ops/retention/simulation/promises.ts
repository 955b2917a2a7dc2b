// What callers were told of a key, and whether it holds. Promises, each the contract's own:
//  expires            until the told Idempotency-Expires every attempt is replayed
//  admissible-until   until the instant a look-up told, an attempt is not refused as too late
//  definitive-from    from the instant a look-up told, no attempt makes a job any more
//  definitive         an empty look-up that said so: no job was made, and none will be

import type { CommitOutcome } from '#idempotency/commit-once.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { LookUpOutcome } from '#idempotency/look-up.ts';
import type { CommittedRecord } from '#idempotency/record.ts';

export type BrokenPromise = {
  readonly promise: 'expires' | 'admissible-until' | 'definitive-from' | 'definitive';
  readonly key: string;
  /** True time at which it broke. */
  readonly atMs: number;
};

export type KeyStory = {
  readonly key: string;
  readonly timeStamped: boolean;
  jobs: number;
  toldExpiresMs: number;
  toldAdmissibleUntilMs: number;
  toldDefinitiveFromMs: number;
  saidDefinitive: boolean;
};

export function newStory(key: IdempotencyKey): KeyStory {
  return {
    key: key.value,
    timeStamped: key.kind === 'time-stamped',
    jobs: 0,
    toldExpiresMs: 0,
    toldAdmissibleUntilMs: 0,
    toldDefinitiveFromMs: Number.POSITIVE_INFINITY,
    saidDefinitive: false,
  };
}

export const watch = { made, attempted, lookedUp };

function made(story: KeyStory, record: CommittedRecord, atMs: number): BrokenPromise[] {
  story.jobs += 1;
  const broken: BrokenPromise[] = [];
  const breaks = (promise: BrokenPromise['promise']) =>
    broken.push({ promise, key: story.key, atMs });
  if (story.saidDefinitive) breaks('definitive');
  if (atMs >= story.toldDefinitiveFromMs) breaks('definitive-from');
  if (record.committedAtMs < story.toldExpiresMs) breaks('expires');
  return broken;
}

function attempted(
  story: KeyStory,
  outcome: CommitOutcome,
  { nowMs, trueMs: atMs }: { readonly nowMs: EpochMs; readonly trueMs: number },
): BrokenPromise[] {
  if (outcome.kind === 'created' || outcome.kind === 'replayed') {
    story.toldExpiresMs = outcome.record.expiresAtMs;
    return [];
  }
  if (outcome.kind !== 'expired') return [];
  const broken: BrokenPromise[] = [];
  if (nowMs < story.toldExpiresMs) broken.push({ promise: 'expires', key: story.key, atMs });
  if (nowMs < story.toldAdmissibleUntilMs) {
    broken.push({ promise: 'admissible-until', key: story.key, atMs });
  }
  return broken;
}

function lookedUp(story: KeyStory, outcome: LookUpOutcome, atMs: number): BrokenPromise[] {
  if (outcome.kind !== 'none' || !outcome.horizon) return [];
  const { admissibleUntilMs, definitiveFromMs } = outcome.horizon;
  story.toldAdmissibleUntilMs = Math.max(story.toldAdmissibleUntilMs, admissibleUntilMs);
  story.toldDefinitiveFromMs = Math.min(story.toldDefinitiveFromMs, definitiveFromMs);
  if (!outcome.definitive) return [];
  story.saidDefinitive = true;
  return story.jobs > 0 ? [{ promise: 'definitive', key: story.key, atMs }] : [];
}
