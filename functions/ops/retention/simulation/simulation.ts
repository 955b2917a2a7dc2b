// The same arrivals three times: as things are, through the change, and when it has settled. Through the
// change they stand around the instant from which keys are judged anew, so that both releases, both
// entries and everything between them are met.

import { type Change, differencesOf } from '#ops/retention/schedule/change.ts';
import { releasesOf } from '#ops/retention/simulation/counter-example.ts';
import { type Arrival, type Played, play, unchanged } from '#ops/retention/simulation/play.ts';
import { moved } from '#ops/retention/simulation/recorded-arrivals.ts';

export type Simulation = {
  readonly before: Played;
  readonly through: Played;
  readonly after: Played;
  /** The instant around which the arrivals were put, for `through`. */
  readonly pivotMs: number;
};

/** @param arrivals in order of true time */
export async function simulate(
  arrivals: readonly Arrival[],
  change: Change,
  purgeLagMs: number,
): Promise<Simulation> {
  const starts = arrivals.map(({ key, atMs }) =>
    key.kind === 'time-stamped' ? Math.min(key.mintedAtMs, atMs) : atMs,
  );
  // Spread into arguments, a million arrivals would not fit the stack.
  const firstMs = starts.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const lastMs = arrivals.at(-1)?.atMs ?? 0;
  const pivotMs = pivotOf(change);
  const middleMs = firstMs + (lastMs - firstMs) / 2;
  const settledMs = (change.proposed.schedule.at(-1)?.fromMs ?? 0) + 60_000;
  const at = (byMs: number) => moved(arrivals, Math.round(byMs));
  return {
    pivotMs,
    before: await play(at(pivotMs - middleMs), unchanged(change.inForce), purgeLagMs),
    through: await play(at(pivotMs - middleMs), releasesOf(change), purgeLagMs),
    after: await play(at(settledMs - firstMs), unchanged(change.proposed), purgeLagMs),
  };
}

/** Where keys begin to be judged differently, but not before the deployment. */
export function pivotOf(change: Change): number {
  const [first] = differencesOf(change);
  return Math.max(change.deployMs, first?.fromMs ?? 0);
}
