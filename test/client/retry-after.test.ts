// Retry-After: which values are understood, and against which clock dates are judged.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpDate } from '#client/http-date.ts';
import { retryAfterMs } from '#client/retry-after.ts';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
/** A clock of ours that is wrong by years: it must not matter. */
const OURS_MS = Date.UTC(2031, 0, 1);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['1', 1_000],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sun, 06 Nov 1994 08:49:40 GMT', 3_000],
    ['Sunday, 06-Nov-94 08:49:40 GMT', 3_000],
    ['Sun Nov  6 08:49:40 1994', 3_000],
    ['Sun, 06 Nov 1994 08:49:30 GMT', 0],
  ])('%j is read as %d ms', (text, ms) => {
    expect(retryAfterMs(text, DATE, OURS_MS)).toBe(ms);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '1s',
    '0x10',
    '1, 2',
    '１',
    'soon',
    '2026-01-01T00:00:00Z',
    'Sun, 06 Nov 1994 08:49:40',
    'Sun, 6 Nov 1994 08:49:40 GMT',
    'Sun, 06 Nov 1994 08:49:40 +0100',
    'Sun, 31 Nov 1994 08:49:40 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'sun, 06 nov 1994 08:49:40 gmt',
  ])('%j is ignored', (text) => {
    expect(retryAfterMs(text, DATE, OURS_MS)).toBeUndefined();
  });

  it.each([null, 'yesterday'])('as a date counts with the Date %j: by the time of now', (date) => {
    const nowMs = Date.UTC(1994, 10, 6, 8, 49, 37);

    expect(retryAfterMs('Sun, 06 Nov 1994 08:49:40 GMT', date, nowMs)).toBe(3_000);
    expect(retryAfterMs('Sun, 06 Nov 1994 08:49:30 GMT', date, nowMs)).toBe(0);
  });

  it('of very many digits is a very long time, and finite', () => {
    expect(retryAfterMs('9'.repeat(400), DATE, OURS_MS)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('an HTTP date', () => {
  const instants = fc
    .integer({ min: Date.UTC(1970, 0, 1) / 1000, max: Date.UTC(2200, 0, 1) / 1000 })
    .map((seconds) => seconds * 1000);

  it('in IMF-fixdate is read back as the instant it was made from', () => {
    fc.assert(
      fc.property(instants, (ms) => {
        expect(parseHttpDate(new Date(ms).toUTCString(), OURS_MS)).toBe(ms);
      }),
    );
  });

  it.each([
    ['Thursday, 01-Jan-76 00:00:00 GMT', Date.UTC(2026, 5, 1), Date.UTC(2076, 0, 1)],
    ['Thursday, 01-Jan-77 00:00:00 GMT', Date.UTC(2026, 5, 1), Date.UTC(1977, 0, 1)],
    ['Thursday, 01-Jan-00 00:00:00 GMT', Date.UTC(2099, 5, 1), Date.UTC(2100, 0, 1)],
  ])('with two digits of a year, %s, is at most 50 years ahead', (text, nearMs, ms) => {
    expect(parseHttpDate(text, nearMs)).toBe(ms);
  });
});
