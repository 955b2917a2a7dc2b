// Simulated clocks: arrivals drawn or recorded, played before, through and after a change. The crowd is
// the one that was asked for, the recording keeps whole keys, and harm is seen where there is some.

import { describe, expect, it } from 'vitest';
import { epochMs } from '#idempotency/epoch.ts';
import type { CreateAttempt } from '#ops/retention/logs/create-attempt-line.ts';
import { simulationText } from '#ops/retention/output/simulation-text.ts';
import { appended, type Change } from '#ops/retention/schedule/change.ts';
import { scheduleFrom } from '#ops/retention/schedule/schedule-sources.ts';
import { type Arrival, play, unchanged } from '#ops/retention/simulation/play.ts';
import { recordArrivals } from '#ops/retention/simulation/recorded-arrivals.ts';
import { simulate } from '#ops/retention/simulation/simulation.ts';
import {
  latenessAt,
  readLateness,
  syntheticArrivals,
} from '#ops/retention/simulation/synthetic-arrivals.ts';
import { HOUR_MS, keyMintedAt, keyOf, T0 } from '#test/support/idempotency-fixtures.ts';

const schedule = (window: string, grace: string) => ({
  schedule: scheduleFrom(JSON.stringify([{ from: '2026-01-01T00:00:00Z', window, grace }]), 'test'),
  reserveMs: 900_000,
  reserve: 'PT15M',
});
/** A UUIDv7 has random bits besides its time: one key, made once. */
const KEY = keyMintedAt(T0);
const at = (afterMs: number, more: Partial<Arrival> = {}): Arrival => ({
  kind: 'attempt',
  key: KEY,
  atMs: T0 + afterMs,
  skewMs: 0,
  byOld: true,
  landsAfterMs: 0,
  ...more,
});
function changeTo(window: string, from?: string): Change {
  const inForce = schedule('PT24H', 'PT24H');
  const proposed = appended(inForce, { window, ...(from && { from }) }, T0);
  if (proposed.kind === 'refused') throw new Error(proposed.sentence);
  return { inForce, proposed: proposed.value, deployMs: T0 };
}

describe('arrivals played on one schedule', () => {
  it('make one job, replay until the window ends, and are refused from then on', async () => {
    const played = await play(
      [at(0), at(HOUR_MS), at(24 * HOUR_MS - 1), at(24 * HOUR_MS), at(900 * HOUR_MS)],
      unchanged(schedule('PT24H', 'PT24H')),
    );

    expect(played).toMatchObject({
      made: 1,
      replayed: 2,
      refusedLate: 2,
      duplicates: 0,
      broken: 0,
    });
    expect(played.refusedAgesMs).toEqual([24 * HOUR_MS, 900 * HOUR_MS]);
  });

  it('take an opaque key anew once its record is gone, and call that no duplicate', async () => {
    const opaque = { key: keyOf('opaque-7') };
    const played = await play(
      [at(0, opaque), at(47 * HOUR_MS, opaque), at(49 * HOUR_MS, opaque)],
      unchanged(schedule('PT24H', 'PT24H')),
    );

    expect(played).toMatchObject({
      made: 2,
      madeAnew: 1,
      refusedLate: 1,
      duplicates: 0,
      broken: 0,
    });
  });

  it('make a second job when the grace is shorter than a write may be under way', async () => {
    // Two attempts in the last two seconds; the first is on its way for five minutes.
    const arrivals = [at(HOUR_MS - 2_000, { landsAfterMs: 299_000 }), at(HOUR_MS - 1_000)];
    const withGrace = (grace: string) =>
      play([...arrivals, at(2 * HOUR_MS)], unchanged(schedule('PT1H', grace)));

    expect(await withGrace('PT2M')).toMatchObject({ made: 2, duplicates: 1 });
    expect(await withGrace('PT1H')).toMatchObject({ made: 1, duplicates: 0 });
  });
});

describe('a change simulated', () => {
  const crowd = syntheticArrivals({
    keys: 2_000,
    opaquePercent: 10,
    spanMs: 8 * 24 * HOUR_MS,
    aroundMs: T0,
    lateness: readLateness('50=PT10S,90=PT10M,99=PT12H,100=PT60H'),
    seed: 3,
  });

  it('to a longer window refuses fewer, makes no second job and breaks no promise', async () => {
    const result = await simulate(crowd, changeTo('PT72H'), 0);

    expect(result.before.refusedLate).toBeGreaterThan(0);
    expect(result.after.refusedLate).toBe(0);
    expect(result.through.refusedLate).toBeLessThan(result.before.refusedLate);
    for (const played of [result.before, result.through, result.after]) {
      expect(played).toMatchObject({ duplicates: 0, broken: 0 });
    }
    const text = simulationText(result, 'a crowd');
    expect(text).toMatch(/DUPLICATES \(time-stamped\) +0 +0 +0/);
    expect(text).toMatch(/24 h – 48 h +\d+ +#+/);
  });

  it('too early, and to a much longer window, makes second jobs of keys that both releases meet', async () => {
    // Keys minted after the start, retried 60 h later: the release in force kept them for 48.
    const arrivals = Array.from({ length: 50 }, (_, index) => T0 + index * 60_000)
      .flatMap((mintedAtMs): Arrival[] => {
        const key = keyMintedAt(mintedAtMs);
        return [0, 60 * HOUR_MS].map((afterMs) => at(0, { key, atMs: mintedAtMs + afterMs }));
      })
      .sort((a, b) => a.atMs - b.atMs);
    const early = changeTo('PT72H', new Date(T0 - 40 * HOUR_MS).toISOString());

    const { through } = await simulate(arrivals, early, 0);

    expect(through.duplicates).toBeGreaterThan(0);
  });
});

describe('a synthetic crowd', () => {
  it('has the points that were asked for, and equal factors between them', () => {
    const points = readLateness('50=PT10S,100=PT1000S');

    expect(latenessAt(points, 0.5)).toBe(10_000);
    expect(latenessAt(points, 0.75)).toBe(100_000);
    expect(latenessAt(points, 1)).toBe(1_000_000);
  });

  it.each(['50=PT10S', '50=PT10S,40=PT20S,100=PT1M', '50=PT10S,100=PT5S', '100=10 s', ''])(
    'refuses points that do not rise to 100: "%s"',
    (text) => {
      expect(() => readLateness(text)).toThrow();
    },
  );
});

describe('a recording', () => {
  const line = (key: number, afterMs: number, outcome = 'created'): CreateAttempt => ({
    atMs: epochMs(T0 + afterMs),
    outcome,
    keyKind: 'time-stamped',
    latenessMs: outcome === 'created' ? 50 : 9_000,
    keyHash: `key-${key}`,
  });

  it('above its limit keeps a share of the keys, each with all its attempts', () => {
    const recording = recordArrivals(100);
    for (let key = 0; key < 400; key += 1) recording.add(line(key, key));
    for (let key = 0; key < 400; key += 1) recording.add(line(key, 10_000 + key, 'replayed'));

    const arrivals = recording.arrivals();
    const byKey = Map.groupBy(arrivals, ({ key }) => key.value);

    expect(arrivals.length).toBeLessThanOrEqual(100);
    expect(arrivals.length).toBeGreaterThan(20);
    expect([...byKey.values()].every((each) => each.length === 2)).toBe(true);
    expect(recording.oneIn()).toBeGreaterThanOrEqual(8);
  });

  it('puts the first attempt of a key that was replayed at its mint, when it came before', () => {
    const recording = recordArrivals(100);
    recording.add(line(1, 20_000, 'replayed'));

    expect(recording.arrivals().map(({ atMs }) => atMs - T0)).toEqual([11_000, 20_000]);
  });
});
