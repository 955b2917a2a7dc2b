// How far our clock is from the service's, measured from the `Date` of its answers. Keys that are minted
// here and X-Request-Deadline are corrected by it, since the service judges both by its own clock.
// Must never correct by more than a day: a Date that is further off is taken for wrong itself, and told.

/** Largest correction, milliseconds: a clock set to the local time of any zone is off by less. */
export const CORRECTION_MS_MAX = 24 * 3_600_000;
/** A difference worth telling, milliseconds: Date has whole seconds, and the way takes some. */
export const OFFSET_TOLD_MS_MIN = 3_000;
/** `Date` is the service's time without its fraction of a second, milliseconds. */
const DATE_STEP_MS = 999;

/** One answer: its time there, and ours around it; milliseconds since the epoch. */
export interface ClockReading {
  readonly thereMs: number;
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface ServiceClock {
  readonly learn: (reading: ClockReading) => void;
  /** Add it to our clock to have the service's. 0 while nothing is known, and beyond the bound. */
  readonly correctionMs: () => number;
  /** The service's clock less ours, where they are known to differ so much that it matters. */
  readonly offsetToldMs: () => number | undefined;
}

export function serviceClock(): ServiceClock {
  let offsetMs = 0;
  return {
    learn({ thereMs, sentMs, receivedMs }) {
      const leastMs = thereMs - receivedMs;
      const mostMs = thereMs + DATE_STEP_MS - sentMs;
      // What is compatible with the reading stays: a deadline must not wander from attempt to attempt.
      if (leastMs <= offsetMs && offsetMs <= mostMs) return;
      offsetMs = Math.round((leastMs + mostMs) / 2);
    },
    correctionMs: () => (Math.abs(offsetMs) <= CORRECTION_MS_MAX ? offsetMs : 0),
    offsetToldMs: () => (Math.abs(offsetMs) >= OFFSET_TOLD_MS_MIN ? offsetMs : undefined),
  };
}

/** A sentence, with a space before it. @param offsetMs the service's clock less ours */
export function clockHint(offsetMs: number | undefined): string {
  if (offsetMs === undefined) return '';
  const direction = offsetMs < 0 ? 'ahead of' : 'behind';
  const difference = `${Math.round(Math.abs(offsetMs) / 1000)} s ${direction} the service's`;
  const consequence =
    Math.abs(offsetMs) > CORRECTION_MS_MAX
      ? 'too far to be corrected: set it'
      : 'deadlines, and keys minted from now on, are corrected for that';
  return ` The clock here is ${difference}; ${consequence}.`;
}
