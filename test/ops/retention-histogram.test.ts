// The histogram that a report counts in: never less than the truth, at most one percent more, exact at
// the windows that were named.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addLateness,
  countFrom,
  emptyHistogram,
  latenessEdges,
  percentile,
  RELATIVE_ERROR,
  sumOf,
  windowCovering,
} from '#ops/retention/logs/lateness-histogram.ts';

const HOUR_MS = 3_600_000;
const edges = latenessEdges([24 * HOUR_MS]);
const lateness = fc.oneof(
  fc.integer({ min: -300_000, max: 2_000 }),
  fc.integer({ min: 0, max: 400 * 24 * HOUR_MS }),
);

function filled(values: readonly number[]) {
  const histogram = emptyHistogram(edges);
  for (const value of values) addLateness(histogram, value);
  return histogram;
}

describe('percentiles', () => {
  it('are never under the nearest rank, and at most one percent and a millisecond over', () => {
    const values = fc.array(lateness, { minLength: 1, maxLength: 400 });
    const share = fc.constantFrom(0.5, 0.9, 0.99, 0.999, 0.9999, 1);
    fc.assert(
      fc.property(values, share, (given, wanted) => {
        const sorted = given.toSorted((a, b) => a - b);
        const truth = Math.max(0, sorted[Math.ceil(wanted * sorted.length - 1e-6) - 1] ?? 0);
        const found = percentile(filled(given), wanted) ?? Number.NaN;

        expect(found).toBeGreaterThanOrEqual(truth);
        expect(found).toBeLessThanOrEqual(truth * (1 + RELATIVE_ERROR) + 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('take the 9,999th of 10,000 for p99.99, and the last of 9,999', () => {
    const upTo = (count: number) =>
      filled(Array.from({ length: count }, (_, i) => (i < count - 1 ? 5 : 900)));

    expect(percentile(upTo(10_000), 0.9999)).toBe(6);
    expect(percentile(upTo(9_999), 0.9999)).toBe(900);
  });

  it('are not there for nothing', () => {
    expect(percentile(emptyHistogram(edges), 0.5)).toBeUndefined();
    expect(windowCovering(emptyHistogram(edges), 1)).toBeUndefined();
  });
});

describe('what a window covers', () => {
  it('is lateness < window, to the millisecond, at a window that was named', () => {
    const histogram = filled([24 * HOUR_MS - 1, 24 * HOUR_MS, 24 * HOUR_MS + 1]);

    expect(countFrom(histogram, 24 * HOUR_MS)).toBe(2);
  });

  it('is all of them a millisecond over the largest', () => {
    const histogram = filled([1_000, 123_456_789]);

    expect(windowCovering(histogram, 1)).toBe(123_456_790);
    expect(countFrom(histogram, 123_456_790)).toBe(0);
    expect(countFrom(histogram, 123_456_789)).toBe(1);
  });

  it('is counted over the sum of histograms as over one', () => {
    const both = sumOf([filled([1, 50, 90_000]), filled([7, 24 * HOUR_MS])]);
    const one = filled([1, 50, 90_000, 7, 24 * HOUR_MS]);

    expect(both).toEqual(one);
  });

  it('stays in a few thousand buckets, whatever comes', () => {
    expect(edges.length).toBeLessThan(3_000);
    expect(edges.every((edge, i) => i === 0 || edge > (edges[i - 1] ?? 0))).toBe(true);
  });
});
