// What is read from a run: how much load an outage makes, and how soon it is normal again.

import { OUTAGE, type OutageOptions, type OutageRun } from '#test/bench/client-outage-world.ts';

export interface OutageFigures {
  /** All in multiples of the normal load, of whole seconds. */
  readonly peakInOutage: number;
  readonly meanInOutage: number;
  readonly peakInSecondHalf: number;
  readonly peakAfter: number;
  /** Seconds of the outage until the load is at most `LOAD_AGAIN_NORMAL` for its rest. */
  readonly boundedAfterS: number | undefined;
  /** Seconds after the outage until it is at most that for good. */
  readonly normalAfterS: number | undefined;
}

/** Of the normal load. */
export const LOAD_AGAIN_NORMAL = 1.2;

export function figuresOf({ load }: OutageRun, options: OutageOptions = OUTAGE): OutageFigures {
  const from = options.outageFromMs / 1000;
  const to = options.outageToMs / 1000;
  const between = (first: number, last: number) => load.slice(first, last);
  const outage = between(from, to);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const boundedFrom = (part: readonly number[]) => {
    const lastAbove = part.findLastIndex((one) => one > LOAD_AGAIN_NORMAL);
    return lastAbove === part.length - 1 ? undefined : lastAbove + 1;
  };
  return {
    peakInOutage: Math.max(...outage),
    meanInOutage: sum(outage) / outage.length,
    peakInSecondHalf: Math.max(...between((from + to) / 2, to)),
    peakAfter: Math.max(...between(to, load.length)),
    boundedAfterS: boundedFrom(outage),
    normalAfterS: boundedFrom(between(to, load.length)),
  };
}
