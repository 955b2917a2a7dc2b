// How late attempts came, in buckets whose edges grow by one percent: a million values take the memory of
// a few thousand. What it tells is never less than the truth, and at most one percent more.
// Edges that a caller names are edges of buckets, so that counts under them are exact.

/** Each edge is at most this much above the one before it. */
export const RELATIVE_ERROR = 0.01;
/** Ten years, milliseconds. What is above stands in one last bucket. */
const LAST_EDGE_MS = 10 * 366 * 86_400_000;

export type LatenessHistogram = {
  readonly edgesMs: Float64Array;
  /** `counts[i]` holds values in [edges[i - 1], edges[i]); the last one whatever is above all edges. */
  readonly counts: Float64Array;
  total: number;
  largestMs: number;
};

/** @param exactMs edges besides those of the scale: candidate windows, bounds of bands */
export function latenessEdges(exactMs: Iterable<number>): Float64Array {
  const edges = new Set<number>(exactMs);
  for (let edge = 1; edge < LAST_EDGE_MS; edge = Math.max(edge + 1, edge * (1 + RELATIVE_ERROR))) {
    edges.add(Math.floor(edge));
  }
  edges.add(LAST_EDGE_MS);
  return Float64Array.from(edges).sort();
}

export function emptyHistogram(edgesMs: Float64Array): LatenessHistogram {
  return {
    edgesMs,
    counts: new Float64Array(edgesMs.length + 1),
    total: 0,
    largestMs: Number.NEGATIVE_INFINITY,
  };
}

/** Clocks differ: a lateness below zero counts as none. */
export function addLateness(histogram: LatenessHistogram, latenessMs: number, times = 1): void {
  const bucket = firstEdgeAbove(histogram.edgesMs, latenessMs);
  histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + times;
  histogram.total += times;
  histogram.largestMs = Math.max(histogram.largestMs, latenessMs);
}

/** The sum of histograms over the same edges. */
export function sumOf(histograms: readonly [LatenessHistogram, ...LatenessHistogram[]]) {
  const sum = emptyHistogram(histograms[0].edgesMs);
  for (const { counts, total, largestMs } of histograms) {
    for (let bucket = 0; bucket < counts.length; bucket += 1) {
      sum.counts[bucket] = (sum.counts[bucket] ?? 0) + (counts[bucket] ?? 0);
    }
    sum.total += total;
    sum.largestMs = Math.max(sum.largestMs, largestMs);
  }
  return sum;
}

/**
 * The smallest window on the scale that holds this share of the values: lateness < window. With a share
 * of 1 it is a millisecond more than the largest.
 */
export function windowCovering(histogram: LatenessHistogram, share: number): number | undefined {
  if (histogram.total === 0) return undefined;
  const wanted = rankOf(share, histogram.total);
  let below = 0;
  for (const [bucket, count] of histogram.counts.entries()) {
    below += count;
    if (below < wanted) continue;
    return Math.max(
      1,
      Math.min(histogram.edgesMs[bucket] ?? Number.POSITIVE_INFINITY, histogram.largestMs + 1),
    );
  }
  return histogram.largestMs + 1;
}

/** Nearest rank, never less than the value at that rank and at most one percent more. */
export function percentile(histogram: LatenessHistogram, share: number): number | undefined {
  const window = windowCovering(histogram, share);
  return window === undefined ? undefined : Math.max(0, Math.min(window, histogram.largestMs));
}

/** How many values are not below `windowMs`. Exact when it is an edge; else a whole bucket counts. */
export function countFrom(histogram: LatenessHistogram, windowMs: number): number {
  if (windowMs > histogram.largestMs) return 0;
  const { edgesMs, counts } = histogram;
  let bucket = firstEdgeAbove(edgesMs, windowMs);
  let count = 0;
  for (; bucket < counts.length; bucket += 1) count += counts[bucket] ?? 0;
  return count;
}

function rankOf(share: number, total: number): number {
  // 0.9999 × 10,000 is 9,999 and must not become 10,000 for a rounding error.
  return Math.max(1, Math.ceil(share * total - 1e-9 * total));
}

/** Index of the first edge above `value`; the number of edges when there is none. */
function firstEdgeAbove(edgesMs: Float64Array, value: number): number {
  let low = 0;
  let high = edgesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edgesMs[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
