import { describe, expect, it } from 'vitest';
import { epochMs } from '#idempotency/epoch.ts';
import {
  entryInForce,
  parseRetentionSchedule,
  type RetentionMinima,
} from '#idempotency/retention-schedule.ts';

const MINIMA: RetentionMinima = { windowMs: 3_600_000, graceMs: 3_600_000, reserveMs: 900_000 };
const day = '2026-01-01T00:00:00Z';
const parse = (...entries: object[]) => parseRetentionSchedule(JSON.stringify(entries), MINIMA);

describe('a retention schedule', () => {
  it('is read from JSON, durations in ISO 8601', () => {
    const parsed = parse(
      { from: day, window: 'PT24H', grace: 'P1D' },
      { from: '2026-06-01T02:00:00+02:00', window: 'PT90M', grace: 'PT1H' },
    );

    expect(parsed).toEqual({
      kind: 'ok',
      value: [
        {
          fromMs: Date.UTC(2026, 0, 1),
          windowMs: 86_400_000,
          graceMs: 86_400_000,
          window: 'PT24H',
          grace: 'P1D',
        },
        {
          fromMs: Date.UTC(2026, 5, 1),
          windowMs: 5_400_000,
          graceMs: 3_600_000,
          window: 'PT90M',
          grace: 'PT1H',
        },
      ],
    });
  });

  it.each([
    ['is empty', '[]', /empty/],
    ['is no JSON', '[', /the schedule is not of the form/],
    ['is no list', '{}', /the schedule is not of the form/],
    [
      'has an entry with another member',
      `[{"from":"${day}","window":"PT24H","grace":"PT24H","ttl":1}]`,
      /entry 1 is not of the form/,
    ],
    [
      'has a second entry without a zone',
      `[{"from":"${day}","window":"PT24H","grace":"PT24H"},{"from":"2026-02-01T00:00:00","window":"PT24H","grace":"PT24H"}]`,
      /entry 2 is not of the form/,
    ],
  ])('that %s is refused', (_, json, sentence) => {
    expect(parseRetentionSchedule(json, MINIMA)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(sentence),
    });
  });

  it.each([
    ['of months', { window: 'P1M', grace: 'PT24H' }, /entry 1 .* window that is no duration/],
    ['of nothing', { window: 'PT0S', grace: 'PT24H' }, /entry 1 .* window that is no duration/],
    ['that is negative', { window: '-PT24H', grace: 'PT24H' }, /entry 1 .* window/],
    ['in words', { window: '24h', grace: 'PT24H' }, /entry 1 .* window that is no duration/],
    ['under the minimum', { window: 'PT59M59S', grace: 'PT24H' }, /entry 1 .* smallest of 3600 s/],
    ['of a grace under it', { window: 'PT1H', grace: 'PT59M59S' }, /entry 1 .* grace under/],
  ])('with a duration %s is refused, and the entry named', (_, durations, sentence) => {
    expect(parse({ from: day, ...durations })).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(sentence),
    });
  });

  it('takes the minima themselves', () => {
    expect(parse({ from: day, window: 'PT1H', grace: 'PT1H' }).kind).toBe('ok');
  });

  it('refuses entries that start at once or out of order, naming the later one', () => {
    const entry = { window: 'PT24H', grace: 'PT24H' };
    const same = parse({ from: day, ...entry }, { from: day, ...entry });
    const back = parse({ from: day, ...entry }, { from: '2025-12-31T23:59:59.999Z', ...entry });

    expect(same).toMatchObject({ sentence: expect.stringMatching(/^entry 2 .*overlaps entry 1/) });
    expect(back).toMatchObject({ sentence: expect.stringMatching(/^entry 2 .*out of order/) });
  });

  it('judges by the entry in force, to the millisecond, and by the first one before it', () => {
    const parsed = parse(
      { from: day, window: 'PT24H', grace: 'PT24H' },
      { from: '2026-02-01T00:00:00Z', window: 'PT48H', grace: 'PT24H' },
    );
    if (parsed.kind !== 'ok') throw new Error(parsed.sentence);
    const policy = { schedule: parsed.value, reserveMs: 1, reserve: 'PT0.001S' };
    const second = Date.UTC(2026, 1, 1);
    const windowAt = (ms: number) => entryInForce(policy, epochMs(ms)).window;

    expect([windowAt(0), windowAt(second - 1), windowAt(second)]).toEqual([
      'PT24H',
      'PT24H',
      'PT48H',
    ]);
  });
});
