// What plan calls safe and what simulate finds are the same thing: over 10,000 random changes of random
// schedules, a safe one makes no second job for a time-stamped key and breaks no promise, whatever the
// arrivals, clocks and lost answers; and each refusal of an unsafe one is shown by playing it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '#idempotency/epoch.ts';
import { recordLife } from '#idempotency/retention.ts';
import type { RetentionEntry, RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { type Change, differencesOf, ROLLOUT_MS } from '#ops/retention/schedule/change.ts';
import { planChange, SHOWN_BY_PLAY } from '#ops/retention/schedule/change-plan.ts';
import type { RefusalKind } from '#ops/retention/schedule/refusal.ts';
import {
  type CounterExample,
  harmOf,
  releasesOf,
} from '#ops/retention/simulation/counter-example.ts';
import { type Arrival, play } from '#ops/retention/simulation/play.ts';
import { HOUR_MS, keyMintedAt, keyOf, T0 } from '#test/support/idempotency-fixtures.ts';

const MINUTE_MS = 60_000;
const CHANGES = 10_000;
const SKEW_MS_MAX = 60_000;
/** A write can be under way for this long at most: its signature ends it. */
const UNDER_WAY_MS_MAX = 5 * MINUTE_MS;
const RESERVE = { reserveMs: 15 * MINUTE_MS, reserve: 'PT15M' };
const DEPLOYMENT = { stage: 'prod', jobRetention: 'P30D' };
const NEEDS = { coverage: 0.999 };

const quarters = (least: number, most: number) =>
  fc.integer({ min: least * 4, max: most * 4 }).map((each) => (each * HOUR_MS) / 4);
const life = fc.record({ windowMs: quarters(1, 72), graceMs: quarters(1, 30) });

const entry = (
  fromMs: number,
  { windowMs, graceMs }: { windowMs: number; graceMs: number },
): RetentionEntry => ({
  fromMs: epochMs(fromMs),
  windowMs,
  graceMs,
  window: `PT${windowMs / 60_000}M`,
  grace: `PT${graceMs / 60_000}M`,
});
const policy = (entries: readonly RetentionEntry[]): RetentionPolicy => ({
  ...RESERVE,
  schedule: entries as unknown as RetentionPolicy['schedule'],
});

/** In force for long, at times with a second entry; the new one mostly in time, at times not. */
const changes: fc.Arbitrary<Change> = fc
  .record({
    first: life,
    second: fc.option(fc.record({ life, beforeMs: quarters(-40, 200) }), { nil: undefined }),
    added: life,
    startsMs: fc.oneof(
      { weight: 3, arbitrary: quarters(24, 60) },
      { weight: 2, arbitrary: quarters(-30, 24) },
      { weight: 1, arbitrary: fc.constantFrom(ROLLOUT_MS - MINUTE_MS, ROLLOUT_MS) },
    ),
    how: fc.constantFrom(
      'append',
      'append',
      'append',
      'append',
      'replace',
      'drop-first',
      'nothing',
    ),
  })
  .map(({ first, second, added, startsMs, how }) => {
    const deployMs = epochMs(T0);
    const inForce = [entry(T0 - 2_000 * HOUR_MS, first)];
    if (second) inForce.push(entry(T0 - second.beforeMs, second.life));
    const last = inForce.at(-1)?.fromMs ?? 0;
    const fresh = entry(Math.max(T0 + startsMs, last + MINUTE_MS), added);
    const proposed = {
      append: [...inForce, fresh],
      replace: [...inForce.slice(0, -1), { ...fresh, fromMs: epochMs(last) }],
      'drop-first': [...inForce.slice(1), fresh],
      nothing: [...inForce],
    }[how];
    return { inForce: policy(inForce), proposed: policy(proposed), deployMs };
  });

/** Where things happen: near the ends of windows and graces, near the deployment, or anywhere. */
const arrivalsFor = fc.record({
  keys: fc.array(
    fc.record({
      timeStamped: fc.integer({ min: 0, max: 9 }).map((each) => each > 0),
      mintedMs: fc.oneof(
        { weight: 2, arbitrary: fc.integer({ min: -1_000, max: 1_000 }).map((each) => each * 360) },
        { weight: 1, arbitrary: quarters(-100, 100) },
      ),
      mintedNear: fc.constantFrom('deployment', 'start'),
      events: fc.array(
        fc.record({
          lookUp: fc.boolean(),
          edge: fc.integer({ min: 0, max: 11 }),
          besideMs: fc.oneof(
            fc.constantFrom(-1, 0, 1, 1_000, -MINUTE_MS, MINUTE_MS),
            fc.integer({ min: -10 * MINUTE_MS, max: 10 * MINUTE_MS }),
            quarters(0, 50),
          ),
          skewMs: fc.oneof(
            fc.constantFrom(-SKEW_MS_MAX, 0, SKEW_MS_MAX),
            fc.integer({ min: -SKEW_MS_MAX, max: SKEW_MS_MAX }),
          ),
          byOld: fc.boolean(),
          landsAfterMs: fc.oneof(
            { weight: 3, arbitrary: fc.constant(0) },
            { weight: 1, arbitrary: fc.integer({ min: 1, max: UNDER_WAY_MS_MAX }) },
          ),
        }),
        { minLength: 2, maxLength: 5 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
type Script = typeof arrivalsFor extends fc.Arbitrary<infer T> ? T : never;

function arrivalsOf({ keys }: Script, { inForce, proposed, deployMs }: Change): Arrival[] {
  const startMs = proposed.schedule.at(-1)?.fromMs ?? deployMs;
  const [before, after] = [inForce.schedule.at(-1), proposed.schedule.at(-1)];
  if (!before || !after) throw new Error('a schedule has entries');
  return keys
    .flatMap(({ timeStamped, mintedMs, mintedNear, events }, index) => {
      const mintedAtMs = (mintedNear === 'start' ? startMs : deployMs) + mintedMs;
      const key = timeStamped ? keyMintedAt(mintedAtMs) : keyOf(`opaque-${index}`);
      const edges = [before, after].flatMap(({ windowMs, graceMs }) => [
        mintedAtMs,
        mintedAtMs + windowMs,
        mintedAtMs + windowMs + RESERVE.reserveMs,
        mintedAtMs + windowMs + graceMs - RESERVE.reserveMs,
        mintedAtMs + windowMs + graceMs,
      ]);
      edges.push(deployMs + ROLLOUT_MS, startMs);
      return events.map(({ lookUp, edge, besideMs, ...rest }): Arrival => {
        const atMs = Math.max(mintedAtMs - 4 * MINUTE_MS, (edges[edge] ?? mintedAtMs) + besideMs);
        return { kind: lookUp ? 'look-up' : 'attempt', key, atMs, ...rest };
      });
    })
    .sort((a, b) => a.atMs - b.atMs);
}

describe('plan and simulate agree', () => {
  it('on 10,000 random changes: safe makes no duplicate and breaks no promise, unsafe is shown', async () => {
    const seen = {
      safe: 0,
      made: 0,
      replayed: 0,
      refusedLate: 0,
      byKind: new Map<RefusalKind, number>(),
    };
    await fc.assert(
      fc.asyncProperty(changes, arrivalsFor, async (change, script) => {
        const plan = await planChange({ change, deployment: DEPLOYMENT, needs: NEEDS });

        if (plan.safe) {
          const played = await play(arrivalsOf(script, change), releasesOf(change));
          seen.safe += 1;
          seen.made += played.made;
          seen.replayed += played.replayed;
          seen.refusedLate += played.refusedLate;
          expect(played.duplicates).toBe(0);
          expect(played.examples).toEqual([]);
          return;
        }
        for (const { kind, counterExample, shown } of plan.refusals) {
          seen.byKind.set(kind, (seen.byKind.get(kind) ?? 0) + 1);
          expect(counterExample).not.toBe('');
          if (shown) await expectShown(shown, change);
        }
        // Shown by play, unless no key that both releases meet is judged differently: a published entry
        // of the far future was altered, or what starts too early changes nothing.
        const unshown = plan.refusals.filter((each) => SHOWN_BY_PLAY.has(each.kind) && !each.shown);
        if (unshown.length === 0) return;
        const { deployMs } = change;
        const met = differencesOf(change).filter(
          ({ fromMs, toMs }) => toMs > deployMs && fromMs < deployMs + ROLLOUT_MS,
        );
        expect(met).toEqual([]);
      }),
      { numRuns: CHANGES },
    );

    // Not vacuous: both verdicts, all outcomes and every kind that a schedule alone can have are met.
    expect(seen.safe).toBeGreaterThan(CHANGES / 10);
    expect(Math.min(seen.made, seen.replayed, seen.refusedLate)).toBeGreaterThan(500);
    for (const kind of [
      'not-appended',
      'too-early',
      'promise-shortened',
      'changes-nothing',
    ] as const) {
      expect(seen.byKind.get(kind) ?? 0).toBeGreaterThan(50);
    }
  }, 240_000);

  it('the same arrivals do find harm in what plan refuses as too early', async () => {
    const harms = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(changes, arrivalsFor, async (change, script) => {
        const { refusals } = await planChange({ change, deployment: DEPLOYMENT, needs: NEEDS });
        if (refusals.length !== 1 || refusals[0]?.kind !== 'too-early') return;
        const { duplicates, examples } = await play(arrivalsOf(script, change), releasesOf(change));
        if (duplicates > 0) harms.set('duplicate', (harms.get('duplicate') ?? 0) + 1);
        for (const { promise } of examples) harms.set(promise, (harms.get(promise) ?? 0) + 1);
      }),
      { numRuns: CHANGES },
    );

    expect([...harms.keys()].toSorted()).toEqual([
      'admissible-until',
      'definitive',
      'definitive-from',
      'duplicate',
    ]);
  }, 240_000);

  it('a function of the release before that ran all of the 24 h would make a second job', async () => {
    // Minted four minutes ahead, so the key belongs to the new entry before the old function is gone.
    const change = {
      inForce: policy([entry(0, { windowMs: HOUR_MS, graceMs: HOUR_MS })]),
      proposed: policy([
        entry(0, { windowMs: HOUR_MS, graceMs: HOUR_MS }),
        entry(T0 + ROLLOUT_MS, { windowMs: 72 * HOUR_MS, graceMs: HOUR_MS }),
      ]),
      deployMs: T0,
    };
    const key = keyMintedAt(T0 + ROLLOUT_MS);
    const arrivals = [-4 * MINUTE_MS, 3 * HOUR_MS].map(
      (afterMs): Arrival => ({
        kind: 'attempt',
        key,
        atMs: T0 + ROLLOUT_MS + afterMs,
        skewMs: 0,
        byOld: true,
        landsAfterMs: 0,
      }),
    );
    const releases = releasesOf(change);

    const gone = await play(arrivals, releases);
    const lingering = await play(arrivals, { ...releases, oldGoneMs: T0 + ROLLOUT_MS });

    expect((await planChange({ change, deployment: DEPLOYMENT, needs: NEEDS })).safe).toBe(true);
    expect(gone).toMatchObject({ made: 1, duplicates: 0 });
    expect(lingering).toMatchObject({ made: 2, duplicates: 1 });
  });
});

async function expectShown({ harm, arrivals, mintedAtMs }: CounterExample, change: Change) {
  if (harm !== 'judged-differently') {
    expect(harmOf(await play(arrivals, releasesOf(change)))).toBe(harm);
    return;
  }
  const key = keyMintedAt(mintedAtMs);
  const nowMs = epochMs(mintedAtMs);
  expect(recordLife(key, nowMs, change.inForce)).not.toEqual(
    recordLife(key, nowMs, change.proposed),
  );
}
