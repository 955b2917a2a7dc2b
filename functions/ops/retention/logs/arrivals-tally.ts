// What the log lines add up to: outcomes, histograms of lateness by what came of the attempt, and the
// latest arrivals by name. Bounded: counters, a few histograms and a short list, whatever is read.
// A retry is an attempt that met a record or came too late to make one: replayed, refused or late.

import type { CreateAttempt, LogLine } from '#ops/retention/logs/create-attempt-line.ts';
import {
  addLateness,
  emptyHistogram,
  type LatenessHistogram,
} from '#ops/retention/logs/lateness-histogram.ts';

/** `first` made the job; `refused` met other parameters or an abandonment; `late` was answered 412. */
export const SERIES = ['first', 'replayed', 'refused', 'late'] as const;
export type Series = (typeof SERIES)[number];

const SERIES_OF: Readonly<Record<string, Series>> = {
  created: 'first',
  replayed: 'replayed',
  reused: 'refused',
  abandoned: 'refused',
  expired: 'late',
};
/** Beyond this, the time in a key is no mint but a mistake or a forgery, milliseconds. */
export const PLAUSIBLE_LATENESS_MS_MAX = 366 * 86_400_000;
/** Latest refused arrivals told by name. */
const LATEST_MAX = 10;

export type LateArrival = Pick<CreateAttempt, 'atMs' | 'keyKind' | 'keyHash'> & {
  readonly latenessMs: number;
};

export type ArrivalsTally = {
  lines: number;
  unreadable: number;
  attempts: number;
  refusedBeforeJudging: number;
  /** Attempts whose lateness nothing tells: opaque keys that met no record. */
  withoutLateness: number;
  implausible: number;
  firstAtMs: number;
  lastAtMs: number;
  purgeOverdueMs: number | undefined;
  readonly outcomes: Map<string, number>;
  readonly keyKinds: { 'time-stamped': number; opaque: number };
  readonly series: Readonly<Record<Series, LatenessHistogram>>;
  /** The retry that came latest of all. */
  latestRetry: LateArrival | undefined;
  /** Refused as too late, latest first. */
  readonly latestRefused: LateArrival[];
};

/** @param edgesMs of `latenessEdges` */
export function emptyTally(edgesMs: Float64Array): ArrivalsTally {
  return {
    lines: 0,
    unreadable: 0,
    attempts: 0,
    refusedBeforeJudging: 0,
    withoutLateness: 0,
    implausible: 0,
    firstAtMs: Number.POSITIVE_INFINITY,
    lastAtMs: Number.NEGATIVE_INFINITY,
    purgeOverdueMs: undefined,
    outcomes: new Map(),
    keyKinds: { 'time-stamped': 0, opaque: 0 },
    series: {
      first: emptyHistogram(edgesMs),
      replayed: emptyHistogram(edgesMs),
      refused: emptyHistogram(edgesMs),
      late: emptyHistogram(edgesMs),
    },
    latestRetry: undefined,
    latestRefused: [],
  };
}

export function tallyLine(tally: ArrivalsTally, line: LogLine): void {
  tally.lines += 1;
  switch (line.kind) {
    case 'attempt':
      tallyAttempt(tally, line.attempt);
      return;
    case 'refused-before-judging':
      tally.refusedBeforeJudging += 1;
      return;
    case 'purge-overdue':
      tally.purgeOverdueMs = Math.max(tally.purgeOverdueMs ?? 0, line.overdueMs);
      return;
    case 'unreadable':
      tally.unreadable += 1;
      return;
    case 'other':
      return;
  }
}

/** @param times for sources that count equal attempts together */
export function tallyAttempt(tally: ArrivalsTally, attempt: CreateAttempt, times = 1): void {
  const { atMs, outcome, keyKind, latenessMs } = attempt;
  tally.attempts += times;
  tally.firstAtMs = Math.min(tally.firstAtMs, atMs);
  tally.lastAtMs = Math.max(tally.lastAtMs, atMs);
  tally.keyKinds[keyKind] += times;
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + times);
  const series = SERIES_OF[outcome];
  if (series === undefined) return;
  if (latenessMs === undefined) {
    tally.withoutLateness += times;
    return;
  }
  if (latenessMs > PLAUSIBLE_LATENESS_MS_MAX) {
    tally.implausible += times;
    return;
  }
  addLateness(tally.series[series], latenessMs, times);
  if (series !== 'first') rememberLatest(tally, series, { ...attempt, latenessMs });
}

function rememberLatest(tally: ArrivalsTally, series: Series, attempt: LateArrival): void {
  const { atMs, keyKind, keyHash, latenessMs } = attempt;
  const arrival = { atMs, keyKind, latenessMs, ...(keyHash !== undefined && { keyHash }) };
  if (latenessMs > (tally.latestRetry?.latenessMs ?? Number.NEGATIVE_INFINITY)) {
    tally.latestRetry = arrival;
  }
  if (series !== 'late') return;
  const { latestRefused } = tally;
  const last = latestRefused.at(-1);
  if (latestRefused.length >= LATEST_MAX && last && last.latenessMs >= latenessMs) return;
  const place = latestRefused.findIndex((each) => each.latenessMs < latenessMs);
  latestRefused.splice(place < 0 ? latestRefused.length : place, 0, arrival);
  if (latestRefused.length > LATEST_MAX) latestRefused.pop();
}
