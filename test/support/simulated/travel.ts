// How writes and reads travel to the simulated store, on one true clock: at once and heard, late, unheard,
// refused or lost. It knows only what ports promise: what was not heard is `unknown`, what an answer does
// not prove is `failed`.

import type {
  NotApplied,
  ReadOptions,
  ReadResult,
  SendOptions,
  Unknown,
} from '#idempotency/commit-port.ts';

export type Landing = {
  /** Milliseconds of true time from the send until the write reaches the store. */
  readonly afterMs: number;
  /** Does the sender hear of it? */
  readonly heard: boolean;
};
export type Journey = Landing | { readonly refused: 'throttled' | 'conflict' } | 'lost';

/** What happens on the way, asked each time. */
export type Journeys = {
  readonly write: () => Journey;
  /** Does the answer of this read prove nothing? */
  readonly readIsEmpty: () => boolean;
  /** Does this refusal come without what stands in the way? */
  readonly refusalIsBare: () => boolean;
};

/** All goes well. */
export const CALM: Journeys = {
  write: () => ({ afterMs: 0, heard: true }),
  readIsEmpty: () => false,
  refusalIsBare: () => false,
};

/** A write where it lands. */
export type Landed = {
  readonly atMs: number;
  /** What a refusal tells of the item that stands in its way. */
  readonly standing: <T>(item: T | undefined) => ReadResult<T>;
};

export type Travel = {
  readonly write: <T>(
    options: SendOptions,
    apply: (landed: Landed) => T,
  ) => Promise<T | NotApplied | Unknown>;
  readonly get: <T>(
    options: Pick<ReadOptions, 'consistent'>,
    look: () => T | undefined,
  ) => Promise<ReadResult<T>>;
  /** A read that finds something always: a page, a sample. */
  readonly page: <T>(look: () => T) => Promise<ReadResult<T>>;
  /** Lets every write land that is due by now. */
  readonly settle: () => void;
  /** Lets every write land that is under way. */
  readonly landAll: () => void;
};

export type TravelParts = {
  /** The one true clock. */
  readonly nowMs: () => number;
  readonly journeys: Journeys;
  /** What time alone does to the tables. */
  readonly passTime: (atMs: number) => void;
};

type UnderWay = { readonly dueMs: number; readonly apply: (landed: Landed) => unknown };

export function createTravel({ nowMs, journeys, passTime }: TravelParts): Travel {
  let underWay: readonly UnderWay[] = [];

  function standing<T>(item: T | undefined): ReadResult<T> {
    if (item !== undefined && !journeys.refusalIsBare()) return { kind: 'found', value: item };
    if (journeys.readIsEmpty()) return { kind: 'failed' };
    return item === undefined ? { kind: 'none' } : { kind: 'found', value: item };
  }

  function land<T>(atMs: number, apply: (landed: Landed) => T): T {
    passTime(atMs);
    return apply({ atMs, standing });
  }

  function settleUntil(untilMs: number): void {
    const due = underWay
      .filter(({ dueMs }) => dueMs <= untilMs)
      .toSorted((a, b) => a.dueMs - b.dueMs);
    underWay = underWay.filter(({ dueMs }) => dueMs > untilMs);
    for (const { dueMs, apply } of due) land(Math.min(dueMs, nowMs()), apply);
    passTime(nowMs());
  }
  const settle = () => settleUntil(nowMs());

  return {
    settle,
    landAll: () => settleUntil(Number.POSITIVE_INFINITY),

    async write(options, apply) {
      settle();
      if (!options.maySend()) return { kind: 'not-applied', why: 'not-sent' };
      const journey = journeys.write();
      if (journey === 'lost') return { kind: 'unknown', why: 'simulated' };
      if ('refused' in journey) return { kind: 'not-applied', why: journey.refused };
      const { afterMs, heard } = journey;
      if (heard && afterMs === 0) return land(nowMs(), apply);
      underWay = [...underWay, { dueMs: nowMs() + afterMs, apply }];
      settle();
      return { kind: 'unknown', why: 'simulated' };
    },

    async get({ consistent }, look) {
      settle();
      if (journeys.readIsEmpty()) return { kind: 'failed' };
      const item = look();
      if (item !== undefined) return { kind: 'found', value: item };
      return { kind: consistent ? 'none' : 'failed' };
    },

    async page(look) {
      settle();
      return journeys.readIsEmpty() ? { kind: 'failed' } : { kind: 'found', value: look() };
    },
  };
}
