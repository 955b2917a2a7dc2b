// Retention never lies: on simulated clocks, whatever the delays, skews, appended schedule entries,
// releases side by side and TTL deletions, a time-stamped key makes one resource at most, and an opaque
// one makes a second only after its record is gone.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '#idempotency/budget.ts';
import { type CommitOptions, commitOnce } from '#idempotency/commit-once.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import { recordLife } from '#idempotency/retention.ts';
import type { RetentionEntry, RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { HOUR_MS, keyMintedAt, keyOf, T0 } from '#test/support/idempotency-fixtures.ts';
import { type Landing, simulatedStore } from '#test/support/simulated-store.ts';
import { triesOn } from '#test/support/tries.ts';

const DAY_MS = 24 * HOUR_MS;
const SKEW_MS_MAX = 60_000;
/** A write can be under way for this long at most: SigV4 ends it (facts, A1 17). */
const UNDER_WAY_MS_MAX = 5 * 60_000;

const entry = (fromMs: number, windowMs: number, graceMs: number): RetentionEntry => ({
  fromMs: epochMs(fromMs),
  windowMs,
  graceMs,
  window: `PT${windowMs / 1000}S`,
  grace: `PT${graceMs / 1000}S`,
});

const hours = (least: number, most: number) =>
  fc.integer({ min: least * 4, max: most * 4 }).map((quarters) => (quarters * HOUR_MS) / 4);

/** A schedule, and the one deployed before its last entry was appended, a day ahead of its start. */
const schedules = fc
  .array(fc.record({ gapMs: hours(0, 48), windowMs: hours(1, 30), graceMs: hours(1, 12) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => {
    let fromMs = T0 - 2 * DAY_MS;
    const entries = parts.map(({ gapMs, windowMs, graceMs }) => {
      fromMs += DAY_MS + gapMs;
      return entry(fromMs, windowMs, graceMs);
    });
    const policyOf = (count: number): RetentionPolicy => {
      const [first, ...rest] = entries.slice(0, count);
      return {
        schedule: [first as RetentionEntry, ...rest],
        reserveMs: HOUR_MS / 4,
        reserve: 'PT15M',
      };
    };
    const last = entries.at(-1) as RetentionEntry;
    return {
      old: policyOf(Math.max(1, entries.length - 1)),
      current: policyOf(entries.length),
      /** Until then the old release may still run. */
      oldRunsUntilMs: entries.length > 1 ? last.fromMs - HOUR_MS : Number.POSITIVE_INFINITY,
    };
  });

const attempts = fc.array(
  fc.record({
    /** Since the one before. Mostly short, at times days. */
    delayMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), hours(0, 40)),
    skewMs: fc.integer({ min: -SKEW_MS_MAX, max: SKEW_MS_MAX }),
    oldRelease: fc.boolean(),
    landings: fc.array(
      fc.record({
        afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: UNDER_WAY_MS_MAX })),
        heard: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    readFirst: fc.boolean(),
  }),
  { minLength: 2, maxLength: 8 },
);

const world = fc.record({
  schedule: schedules,
  attempts,
  /** When the key was minted, against the first attempt: callers' clocks differ. */
  mintedBeforeMs: fc.oneof(fc.integer({ min: -240_000, max: 240_000 }), hours(0, 60)),
  ttlLagMs: fc.array(hours(0, 50), { minLength: 1, maxLength: 4 }),
  body: fc.constant({ format: 'text' }),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Plays the attempts in order of true time. */
async function play(given: World, timeStamped: boolean) {
  const { old, current, oldRunsUntilMs } = given.schedule;
  let trueMs: number = T0;
  let lag = 0;
  const landings: Landing[] = [];
  const store = simulatedStore(
    () => trueMs,
    () => landings.shift() ?? { afterMs: 0, heard: true },
    () => given.ttlLagMs[lag++ % given.ttlLagMs.length] ?? 0,
  );
  const key = timeStamped ? keyMintedAt(T0 - given.mintedBeforeMs) : keyOf('opaque');
  for (const [index, attempt] of given.attempts.entries()) {
    trueMs += attempt.delayMs;
    store.settle();
    landings.splice(0, landings.length, ...attempt.landings);
    const retention = attempt.oldRelease && trueMs < oldRunsUntilMs ? old : current;
    const clock = {
      nowMs: () => epochMs(Math.floor(trueMs + attempt.skewMs)),
      monotonicMs: () => trueMs,
    };
    const fingerprint = fingerprintOf(given.body, 'record');
    if (!fingerprint) throw new Error('the body has a canonical form');
    const nowMs = clock.nowMs();
    await commitOnce(
      {
        key,
        effect: undefined,
        record: {
          state: 'committed',
          recordKey: 'record',
          attemptId: `attempt-${index}`,
          committedAtMs: nowMs,
          ...recordLife(key, nowMs, retention),
          fingerprint,
          receipt: new Uint8Array(),
          resourceId: `job-${index}`,
        },
      },
      store,
      optionsOf(clock, { retention, readFirst: attempt.readFirst }, (ms) => {
        trueMs += ms;
      }),
    );
  }
  trueMs += UNDER_WAY_MS_MAX;
  store.settle();
  return store.made;
}

function optionsOf(
  clock: Clock,
  { retention, readFirst }: Pick<CommitOptions, 'retention' | 'readFirst'>,
  pass: (ms: number) => void,
): CommitOptions {
  return {
    retention,
    readFirst,
    attemptHint: 1,
    tries: triesOn(clock, { sleepMs: async (ms) => pass(ms) }),
  };
}

describe('retention on simulated clocks', () => {
  it('never lets a time-stamped key make two resources', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const commits = await play(given, true);
        made += commits.length;

        expect(commits.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 4_000 },
    );
    // Not vacuous: most worlds do make one.
    expect(made).toBeGreaterThan(1_000);
  });

  it('lets an opaque key make a second one only a window and a grace after the first', async () => {
    let second = 0;
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const commits = await play(given, false);
        const shortest = Math.min(
          ...given.schedule.current.schedule.map(({ windowMs, graceMs }) => windowMs + graceMs),
        );

        for (const [index, commit] of commits.entries()) {
          const previous = commits[index - 1];
          if (!previous) continue;
          second += 1;
          expect(commit.atMs - previous.atMs).toBeGreaterThanOrEqual(
            shortest - SKEW_MS_MAX - UNDER_WAY_MS_MAX,
          );
        }
      }),
      { numRuns: 4_000 },
    );
    expect(second).toBeGreaterThan(20);
  });

  it('would let one make two if its record were purged at its expiry, without the grace', async () => {
    // The first try is held up for a minute, the second makes the resource, ten seconds before the end of
    // the window: with no grace the record is gone when the first one lands.
    const schedule = entry(T0 - 2 * DAY_MS, HOUR_MS, HOUR_MS);
    const policy: RetentionPolicy = { schedule: [schedule], reserveMs: 1, reserve: 'PT0.001S' };
    const held: World = {
      schedule: { old: policy, current: policy, oldRunsUntilMs: Number.POSITIVE_INFINITY },
      mintedBeforeMs: HOUR_MS - 10_000,
      ttlLagMs: [0],
      body: { format: 'text' },
      attempts: [
        {
          delayMs: 0,
          skewMs: 0,
          oldRelease: false,
          readFirst: false,
          landings: [{ afterMs: 60_000, heard: false }],
        },
      ],
    };
    const careless = { ...policy, ...withoutGrace(policy) };

    expect(await play(held, true)).toHaveLength(1);
    expect(
      await play(
        { ...held, schedule: { ...held.schedule, old: careless, current: careless } },
        true,
      ),
    ).toHaveLength(2);
  });
});

function withoutGrace(policy: RetentionPolicy): RetentionPolicy {
  const [first, ...rest] = policy.schedule.map((each) => ({ ...each, graceMs: 0 }));
  return { ...policy, schedule: [first as RetentionEntry, ...rest] };
}
