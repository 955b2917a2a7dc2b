// Texts that the retention commands read and write: durations as a schedule takes them, exports as a
// console or a spreadsheet saved them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDurationMs } from '#idempotency/duration.ts';
import { readInsightsExport } from '#ops/retention/logs/insights-export.ts';
import { isoDuration } from '#ops/retention/output/duration-text.ts';

describe('a duration for a schedule', () => {
  it.each([
    [0, 'PT0S'],
    [1, 'PT1S'],
    [1_000, 'PT1S'],
    [1_001, 'PT2S'],
    [3_599_000, 'PT59M59S'],
    [3_600_000, 'PT1H'],
    [129_900_000, 'PT36H5M'],
    [30 * 86_400_000, 'PT720H'],
  ])('of %i ms is %s', (ms, text) => {
    expect(isoDuration(ms)).toBe(text);
  });

  it('is read back as the same whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 * 86_400 }), (seconds) => {
        expect(parseDurationMs(isoDuration(seconds * 1_000))).toBe(seconds * 1_000);
      }),
    );
  });
});

describe('an export of Insights as CSV', () => {
  const NAMES = 'outcome,keyKind,bucket,attempts,largestMs,firstAt,lastAt';
  const ROW = 'replayed,opaque,3,7,1200,2026-11-30 14:45:55.967,2026-11-30 15:45:55.967';
  const ATTEMPT = { outcome: 'replayed', keyKind: 'opaque', latenessMs: 1_200 };

  it.each([
    ['plain', `${NAMES}\n${ROW}\n`],
    ['with a byte order mark, as spreadsheets save it', `\ufeff${NAMES}\r\n${ROW}\r\n`],
    ['quoted', `"${NAMES.replaceAll(',', '","')}"\n"${ROW.replaceAll(',', '","')}"`],
  ])('is read: %s', (_, text) => {
    expect(readInsightsExport(text)).toMatchObject([{ times: 7, attempt: ATTEMPT }]);
  });

  it('keeps quotes, commas and line breaks within a cell', () => {
    const text = `${NAMES}\n${ROW.replace('replayed', '"re""played,\nor so"')}\n`;

    expect(readInsightsExport(text)[0]?.attempt.outcome).toBe('re"played,\nor so');
  });

  it.each([
    ['a short row', `${NAMES}\nreplayed,opaque\n`, /^row 1 of the export is not of our query/],
    ['a quote without an end', `${NAMES}\n"replayed\n`, /^the export is neither JSON nor CSV$/],
  ])('is refused in a sentence of ours: %s', (_, text, sentence) => {
    expect(() => readInsightsExport(text)).toThrow(sentence);
  });
});
