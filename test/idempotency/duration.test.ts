// Durations of configuration: days to seconds, of fixed length, exact to the millisecond.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDurationMs } from '#idempotency/duration.ts';

describe('a duration', () => {
  it.each([
    ['P30D', 2_592_000_000],
    ['PT24H', 86_400_000],
    ['P1DT1H', 90_000_000],
    ['PT1H30M', 5_400_000],
    ['PT15M', 900_000],
    ['PT90S', 90_000],
    ['PT0.9S', 900],
    ['PT0,25S', 250],
    ['PT1.001S', 1_001],
    ['P0DT0.001S', 1],
    ['PT36H', 129_600_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '24H',
    'PT24',
    '1D',
    'P1M',
    'P1Y',
    'P1W',
    'P1Y2M3DT4H',
    'PT0S',
    'P0D',
    '-PT1H',
    'P-1D',
    '+PT1H',
    'PT-1H',
    'PT1.5H',
    'P0.5D',
    'PT1M30',
    'PT0.0005S',
    'PT1.0001S',
    'pt24h',
    ' PT24H',
    'PT24H\n',
    'PT1M1H',
    'P9007199254740993D',
    'PT9007199254740992S',
  ])('%j is none', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });

  it('is the sum of its parts, whichever are there', () => {
    const part = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(part, part, part, part, fc.integer({ min: 1, max: 999 }), (d, h, m, s, ms) => {
        const text = `P${d}DT${h}H${m}M${s}.${String(ms).padStart(3, '0')}S`;

        expect(parseDurationMs(text)).toBe((((d * 24 + h) * 60 + m) * 60 + s) * 1000 + ms);
      }),
    );
  });
});
