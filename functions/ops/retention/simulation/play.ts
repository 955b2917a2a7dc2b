// Plays arrivals on simulated clocks against a schedule, or against a change of one while both releases
// run side by side, and watches for what must never be: a second job for a time-stamped key, and promises
// that do not hold. The rule is not written down again here: every attempt is idempotency's commitOnce,
// every look-up its lookUp.

import type { Budget } from '#idempotency/budget.ts';
import { type CommitOptions, type CommitOutcome, commitOnce } from '#idempotency/commit-once.ts';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { lookUp } from '#idempotency/look-up.ts';
import { recordLife } from '#idempotency/retention.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { startTries } from '#idempotency/tries.ts';
import {
  type BrokenPromise,
  type KeyStory,
  newStory,
  watch,
} from '#ops/retention/simulation/promises.ts';
import { simulatedRecords } from '#ops/retention/simulation/simulated-records.ts';

export type Arrival = {
  readonly kind: 'attempt' | 'look-up';
  readonly key: IdempotencyKey;
  /** True time. */
  readonly atMs: number;
  /** How far the clock of the function that answers is ahead of true time. */
  readonly skewMs: number;
  /** While both releases run: is it the old one that answers? */
  readonly byOld: boolean;
  /** The write reaches the table this much later, and its answer is lost. */
  readonly landsAfterMs: number;
};

export type Releases = {
  readonly old: RetentionPolicy;
  readonly proposed: RetentionPolicy;
  /** From here on the new release answers, and until `oldGoneMs` the old one may. */
  readonly deployMs: number;
  readonly oldGoneMs: number;
};

export type Played = {
  attempts: number;
  lookUps: number;
  /** Jobs made. */
  made: number;
  replayed: number;
  /** 412: too late. */
  refusedLate: number;
  /** Anything else: an answer that was lost, a key of the future. */
  otherwise: number;
  /** Second jobs of time-stamped keys. Never, by the contract. */
  duplicates: number;
  /** Second jobs of opaque keys, whose record was gone. */
  madeAnew: number;
  broken: number;
  /** The first few, for a reader. */
  readonly examples: BrokenPromise[];
  /** Lateness of the refused, milliseconds. */
  readonly refusedAgesMs: number[];
};

const EXAMPLES_MAX = 20;
/** The clock stands still within an attempt, so its budget is never used up. */
const BUDGET: Budget = {
  remainingMs: () => 8_000,
  remainingForWritesMs: () => 7_000,
  endsWithDeadline: () => false,
};
/** Each attempt is one try. */
const NO_RETRIES = createRetryBudget(0);
const SAME_PARAMETERS = { whole: 'v1:same', members: {} };

/** One schedule throughout. */
export const unchanged = (policy: RetentionPolicy): Releases => ({
  old: policy,
  proposed: policy,
  deployMs: 0,
  oldGoneMs: 0,
});

/**
 * @param arrivals in order of true time
 * @param purgeLagMs how long TTL takes; 0 is the worst case
 */
export async function play(
  arrivals: Iterable<Arrival>,
  releases: Releases,
  purgeLagMs = 0,
): Promise<Played> {
  const played: Played = {
    attempts: 0,
    lookUps: 0,
    made: 0,
    replayed: 0,
    refusedLate: 0,
    otherwise: 0,
    duplicates: 0,
    madeAnew: 0,
    broken: 0,
    examples: [],
    refusedAgesMs: [],
  };
  const stories = new Map<string, KeyStory>();
  const broke = (promises: readonly BrokenPromise[]) => {
    played.broken += promises.length;
    played.examples.push(...promises.slice(0, EXAMPLES_MAX - played.examples.length));
  };
  const records = simulatedRecords((record, trueMs) => {
    played.made += 1;
    const story = stories.get(record.recordKey);
    if (!story) return;
    if (story.jobs > 0 && story.timeStamped) played.duplicates += 1;
    if (story.jobs > 0 && !story.timeStamped) played.madeAnew += 1;
    broke(watch.made(story, record, trueMs));
  }, purgeLagMs);

  let endMs = 0;
  for (const arrival of arrivals) {
    endMs = arrival.atMs + arrival.landsAfterMs;
    records.advance(arrival.atMs);
    records.nextLandsAfter(arrival.landsAfterMs);
    const { key } = arrival;
    const story = stories.get(key.value) ?? newStory(key);
    stories.set(key.value, story);
    const options = optionsOf(arrival, releases);
    const nowMs = options.tries.clock.nowMs();
    if (arrival.kind === 'look-up') {
      played.lookUps += 1;
      const told = await lookUp({ key, recordKey: key.value }, records, options);
      broke(watch.lookedUp(story, told, arrival.atMs));
      continue;
    }
    played.attempts += 1;
    const outcome = await attempt({ key, number: played.attempts }, records, options);
    count(played, outcome, { key, nowMs });
    broke(watch.attempted(story, outcome, { nowMs, trueMs: arrival.atMs }));
  }
  records.advance(endMs);
  return played;
}

/** Which schedule answers an arrival. */
export function policyAt({ atMs, byOld }: Arrival, releases: Releases): RetentionPolicy {
  const { old, proposed, deployMs, oldGoneMs } = releases;
  if (atMs < deployMs) return old;
  return atMs < oldGoneMs && byOld ? old : proposed;
}

function optionsOf(arrival: Arrival, releases: Releases): CommitOptions {
  const nowMs = epochMs(Math.max(0, arrival.atMs + arrival.skewMs));
  return {
    retention: policyAt(arrival, releases),
    readFirst: true,
    attemptHint: 1,
    tries: startTries({
      clock: { nowMs: () => nowMs, monotonicMs: () => arrival.atMs },
      budget: BUDGET,
      policy: { tryTimeoutMs: 1_500, triesMax: 1, backoffBaseMs: 1, backoffCapMs: 1 },
      retries: NO_RETRIES,
      random: () => 0,
      newToken: () => 'token',
      sleepMs: async () => undefined,
    }),
  };
}

function attempt(
  { key, number }: { readonly key: IdempotencyKey; readonly number: number },
  records: ReturnType<typeof simulatedRecords>,
  options: CommitOptions,
): Promise<CommitOutcome> {
  const nowMs = options.tries.clock.nowMs();
  return commitOnce(
    {
      key,
      effect: undefined,
      record: {
        state: 'committed',
        recordKey: key.value,
        attemptId: `${number}`,
        committedAtMs: nowMs,
        ...recordLife(key, nowMs, options.retention),
        fingerprint: SAME_PARAMETERS,
        receipt: new Uint8Array(),
        resourceId: `${number}`,
      },
    },
    records,
    options,
  );
}

function count(
  played: Played,
  outcome: CommitOutcome,
  { key, nowMs }: { readonly key: IdempotencyKey; readonly nowMs: EpochMs },
) {
  switch (outcome.kind) {
    case 'created':
      return; // counted where it is stored
    case 'replayed':
      played.replayed += 1;
      return;
    case 'expired': {
      played.refusedLate += 1;
      const startMs = key.kind === 'time-stamped' ? key.mintedAtMs : outcome.committedAtMs;
      if (startMs !== undefined) played.refusedAgesMs.push(nowMs - startMs);
      return;
    }
    case 'abandoned':
    case 'claim-taken':
    case 'deadline-passed':
    case 'in-future':
    case 'outcome-unknown':
    case 'reused':
    case 'store-unavailable':
      played.otherwise += 1;
  }
}
