// From a tally to findings: percentiles, ages, windows that would have covered, and what each costs.

import type { ArrivalsTally } from '#ops/retention/logs/arrivals-tally.ts';
import {
  assumptionLines,
  type CostAssumptions,
  retentionCost,
} from '#ops/retention/logs/cost-model.ts';
import type { Band, Candidate, Findings } from '#ops/retention/logs/findings.ts';
import {
  countFrom,
  type LatenessHistogram,
  percentile,
  sumOf,
  windowCovering,
} from '#ops/retention/logs/lateness-histogram.ts';
import { roundedUp } from '#ops/retention/output/duration-text.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Shares told of each kind of attempt. */
export const PERCENTILES = [0.5, 0.9, 0.99, 0.999, 0.9999] as const;
/** Shares of the retries that a window is looked for. */
export const COVERED_SHARES = [0.999, 0.9999, 1] as const;
/** Windows that anybody would think of, milliseconds. */
export const ROUND_WINDOWS_MS = [1, 6, 12, 24, 48, 72, 168].map((hours) => hours * HOUR_MS);
/** Ends of the age bands; the last band has none. */
export const BAND_ENDS_MS = [
  1_000,
  10_000,
  60_000,
  10 * 60_000,
  HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  3 * DAY_MS,
  7 * DAY_MS,
  30 * DAY_MS,
] as const;
/** A rate from less than this is told with a warning, milliseconds. */
export const SHORT_RECORDING_MS = DAY_MS;

export type FindOptions = {
  readonly source: string;
  readonly inForce: {
    readonly windowMs: number;
    readonly graceMs: number;
    readonly source: string;
  };
  /** Windows asked for besides the usual ones. */
  readonly windowsMs: readonly number[];
  readonly keysPerDay: number | undefined;
  readonly costs: Omit<CostAssumptions, 'purgeLagMs' | 'purgeLagIs'>;
  /** Given; else what the logs show; else assumed. */
  readonly purgeLagMs: number | undefined;
  readonly assumedPurgeLagMs: number;
};

export function findFrom(tally: ArrivalsTally, options: FindOptions): Findings {
  const { first, replayed, refused, late } = tally.series;
  const retries = sumOf([replayed, refused, late]);
  const spanMs = Math.max(0, tally.lastAtMs - tally.firstAtMs);
  const keysPerDay = options.keysPerDay ?? (spanMs === 0 ? 0 : (first.total * DAY_MS) / spanMs);
  const costs = { ...options.costs, ...purgeLag(tally, options) };
  const covers = COVERED_SHARES.flatMap((share) => {
    const windowMs = windowCovering(retries, share);
    return windowMs === undefined ? [] : [{ share, windowMs: roundedUp(windowMs) }];
  });
  const none = tally.attempts === 0;
  return {
    version: 1,
    source: options.source,
    lines: tally.lines,
    unreadable: tally.unreadable,
    attempts: tally.attempts,
    refusedBeforeJudging: tally.refusedBeforeJudging,
    withoutLateness: tally.withoutLateness,
    implausible: tally.implausible,
    fromMs: none ? 0 : tally.firstAtMs,
    toMs: none ? 0 : tally.lastAtMs,
    outcomes: Object.fromEntries(tally.outcomes),
    keyKinds: { ...tally.keyKinds },
    inForce: options.inForce,
    retries: percentilesOf(retries),
    firsts: percentilesOf(first),
    covers,
    late: { count: late.total, latest: [...tally.latestRefused] },
    ...(tally.latestRetry && { latestRetry: tally.latestRetry }),
    bands: bandsOf(tally),
    candidates: candidateWindows(options, covers).map(({ windowMs, label }): Candidate => {
      const { graceMs } = options.inForce;
      return {
        windowMs,
        graceMs,
        label,
        retriesBeyond: countFrom(retries, windowMs),
        firstsBeyond: countFrom(first, windowMs),
        ...retentionCost(windowMs + graceMs, keysPerDay, costs),
      };
    }),
    keysPerDay,
    keysPerDayIs: options.keysPerDay === undefined ? 'seen' : 'given',
    assumptions: assumptionLines(costs),
    buckets: bucketsOf(retries, first),
  };
}

function purgeLag(
  tally: ArrivalsTally,
  { purgeLagMs, assumedPurgeLagMs }: FindOptions,
): Pick<CostAssumptions, 'purgeLagMs' | 'purgeLagIs'> {
  if (purgeLagMs !== undefined) return { purgeLagMs, purgeLagIs: 'given' };
  return tally.purgeOverdueMs === undefined
    ? { purgeLagMs: assumedPurgeLagMs, purgeLagIs: 'assumed' }
    : { purgeLagMs: tally.purgeOverdueMs, purgeLagIs: 'seen' };
}

function percentilesOf(histogram: LatenessHistogram): Findings['retries'] {
  return {
    count: histogram.total,
    percentiles: PERCENTILES.flatMap((share) => {
      const latenessMs = percentile(histogram, share);
      return latenessMs === undefined ? [] : [{ share, latenessMs }];
    }),
    ...(histogram.total > 0 && { largestMs: histogram.largestMs }),
  };
}

/** The bounds of bands and windows are edges of the histograms, so these counts are exact. */
function bandsOf({ series }: ArrivalsTally): Band[] {
  const within = (histogram: LatenessHistogram, fromMs: number, toMs: number | undefined) =>
    countFrom(histogram, fromMs) - (toMs === undefined ? 0 : countFrom(histogram, toMs));
  return [...BAND_ENDS_MS, undefined].map((toMs, index) => {
    const fromMs = BAND_ENDS_MS[index - 1] ?? Number.NEGATIVE_INFINITY;
    return {
      ...(toMs !== undefined && { toMs }),
      first: within(series.first, fromMs, toMs),
      replayed: within(series.replayed, fromMs, toMs),
      refused: within(series.refused, fromMs, toMs),
      late: within(series.late, fromMs, toMs),
    };
  });
}

/** Round windows, the one in force, those asked for and those that would have covered. By length. */
function candidateWindows(
  { inForce, windowsMs }: FindOptions,
  covers: Findings['covers'],
): { readonly windowMs: number; readonly label: string }[] {
  const labels = new Map<number, string[]>();
  const add = (windowMs: number, label?: string) =>
    labels.set(windowMs, [...(labels.get(windowMs) ?? []), ...(label ? [label] : [])]);
  for (const windowMs of ROUND_WINDOWS_MS) add(windowMs);
  for (const windowMs of windowsMs) add(windowMs, 'asked for');
  add(inForce.windowMs, 'in force');
  for (const { share, windowMs } of covers) add(windowMs, `covers ${shareText(share)}`);
  return [...labels]
    .sort(([a], [b]) => a - b)
    .map(([windowMs, names]) => ({ windowMs, label: names.join(', ') }));
}

function bucketsOf(retries: LatenessHistogram, first: LatenessHistogram): Findings['buckets'] {
  const buckets: Findings['buckets'] = [];
  for (const [index, count] of retries.counts.entries()) {
    const firsts = first.counts[index] ?? 0;
    if (count === 0 && firsts === 0) continue;
    const largestMs = Math.max(retries.largestMs, first.largestMs) + 1;
    buckets.push([Math.min(retries.edgesMs[index] ?? largestMs, largestMs), count, firsts]);
  }
  return buckets;
}

/** `99.9 %`, `100 %`. */
export function shareText(share: number): string {
  return `${Number((100 * share).toFixed(4))} %`;
}
