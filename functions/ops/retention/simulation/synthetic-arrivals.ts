// A crowd whose lateness is known: keys, attempts and look-ups drawn from a distribution that the operator
// names by a few of its points. The same seed gives the same crowd.

import { epochMs } from '#idempotency/epoch.ts';
import { OpsError } from '#ops/ops-error.ts';
import { durationOption } from '#ops/retention/output/duration-text.ts';
import type { Arrival } from '#ops/retention/simulation/play.ts';

export type LatenessPoint = { readonly share: number; readonly latenessMs: number };

export type Crowd = {
  readonly keys: number;
  /** Of a hundred keys. */
  readonly opaquePercent: number;
  /** Keys are minted evenly over this time, milliseconds. */
  readonly spanMs: number;
  /** The middle of that time. */
  readonly aroundMs: number;
  readonly lateness: readonly LatenessPoint[];
  readonly seed: number;
};

/** The first point of every distribution, milliseconds: a retry takes a round trip. */
const SHORTEST_MS = 100;
/** An attempt in so many has its answer lost, and its write lands up to LOST_MS_MAX later. */
const LOST_ONE_IN = 50;
const LOST_MS_MAX = 60_000;
const SKEW_MS_MAX = 30_000;
/** Retries and look-ups of one key, at most. */
const RETRIES_MAX = 3;

/**
 * @param text points such as `50=PT10S,99=PT20H,100=PT40H`: percent = lateness, rising to 100
 * @throws OpsError
 */
export function readLateness(text: string): LatenessPoint[] {
  const points = text.split(',').map((part) => {
    const [percent = '', duration = ''] = part.split('=');
    return { share: Number(percent) / 100, latenessMs: durationOption(duration) };
  });
  const rising = points.every(({ share, latenessMs }, index) => {
    const before = points[index - 1] ?? { share: 0, latenessMs: 0 };
    return share > before.share && latenessMs > before.latenessMs;
  });
  if (!rising || points.at(-1)?.share !== 1) {
    throw new OpsError(`"${text}" must rise from point to point and end at 100.`);
  }
  return points;
}

/** The lateness at a share of the distribution; between points it grows by equal factors. */
export function latenessAt(points: readonly LatenessPoint[], share: number): number {
  let before = { share: 0, latenessMs: SHORTEST_MS };
  for (const point of points) {
    if (share <= point.share) {
      const part = (share - before.share) / (point.share - before.share);
      return Math.round(before.latenessMs * (point.latenessMs / before.latenessMs) ** part);
    }
    before = point;
  }
  return before.latenessMs;
}

export function syntheticArrivals(crowd: Crowd): Arrival[] {
  const random = seededRandom(crowd.seed);
  const arrivals: Arrival[] = [];
  for (let index = 0; index < crowd.keys; index += 1) {
    const mintedAtMs = epochMs(Math.floor(crowd.aroundMs + (random() - 0.5) * crowd.spanMs));
    const value = `synthetic-${index}`;
    const key =
      random() * 100 < crowd.opaquePercent
        ? ({ kind: 'opaque', value } as const)
        : ({ kind: 'time-stamped', value, mintedAtMs } as const);
    const arrival = (kind: Arrival['kind'], afterMs: number): Arrival => ({
      kind,
      key,
      atMs: mintedAtMs + afterMs,
      skewMs: Math.floor((random() * 2 - 1) * SKEW_MS_MAX),
      byOld: random() < 0.5,
      landsAfterMs: random() * LOST_ONE_IN < 1 ? Math.ceil(random() * LOST_MS_MAX) : 0,
    });
    arrivals.push(arrival('attempt', Math.floor(random() * SHORTEST_MS)));
    const retries = Math.floor(random() * (RETRIES_MAX + 1));
    for (let retry = 0; retry < retries; retry += 1) {
      const kind = random() < 0.2 ? 'look-up' : 'attempt';
      arrivals.push(arrival(kind, latenessAt(crowd.lateness, random())));
    }
  }
  return arrivals.sort((a, b) => a.atMs - b.atMs);
}

/** Mulberry32: small, fast, good enough for a crowd, never for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
