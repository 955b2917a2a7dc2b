// From log lines to findings: what counts as what, what is left out and said, what the page and the
// export of Insights hold. The lateness of the crowd is known, so every figure can be checked.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyTally, tallyAttempt, tallyLine } from '#ops/retention/logs/arrivals-tally.ts';
import {
  ASSUMED_PURGE_LAG_MS,
  measuredKeyBytes,
  PRICES,
  retentionCost,
} from '#ops/retention/logs/cost-model.ts';
import { type CreateAttempt, readLogLine } from '#ops/retention/logs/create-attempt-line.ts';
import { BAND_ENDS_MS, findFrom, ROUND_WINDOWS_MS } from '#ops/retention/logs/find.ts';
import { type Findings, parseFindings, seenBeyond } from '#ops/retention/logs/findings.ts';
import { readInsightsExport } from '#ops/retention/logs/insights-export.ts';
import { latenessEdges, RELATIVE_ERROR } from '#ops/retention/logs/lateness-histogram.ts';
import { linesOf, logLines, OVERLONG_LINE } from '#ops/retention/logs/log-lines.ts';
import { tallyInsights, tallyLogs } from '#ops/retention/logs/read-report.ts';
import { reportPage } from '#ops/retention/output/report-page.ts';
import { reportText } from '#ops/retention/output/report-text.ts';
import { crowdLines } from '#test/ops/retention-crowd.ts';

const HOUR_MS = 3_600_000;
const IN_FORCE = { windowMs: 24 * HOUR_MS, graceMs: 24 * HOUR_MS, source: 'a <test>' };
const edges = latenessEdges([...ROUND_WINDOWS_MS, ...BAND_ENDS_MS, IN_FORCE.windowMs]);

function findings(tally: ReturnType<typeof emptyTally>, options: object = {}): Findings {
  return findFrom(tally, {
    source: 'crowd & co',
    inForce: IN_FORCE,
    windowsMs: [],
    keysPerDay: undefined,
    costs: { ...PRICES, keyBytes: 660 },
    purgeLagMs: undefined,
    assumedPurgeLagMs: ASSUMED_PURGE_LAG_MS,
    ...options,
  });
}

const request = (more: object) =>
  JSON.stringify({
    message: 'request',
    route: 'POST /v1/export-jobs',
    timestamp: '2026-11-30T12:00:00.000Z',
    ...more,
  });

describe('a log line', () => {
  const attempt = { outcome: 'replayed', keyKind: 'time-stamped', latenessMs: 5, keyHash: 'abc' };

  it('of a create attempt is one, also behind the time and stream of an export', () => {
    const read = { kind: 'attempt', attempt: { atMs: 1_796_040_000_000, ...attempt } };

    expect(readLogLine(request(attempt))).toEqual(read);
    expect(readLogLine(`2026-11-30T12:00:00Z stream-1 ${request(attempt)}`)).toEqual(read);
  });

  it.each([
    ['another route', request({ ...attempt, route: 'GET /v1/export-jobs' }), 'other'],
    ['a metric line', '{"_aws":{"Timestamp":1},"AttemptCreated":1}', 'other'],
    ['a line of the platform', 'REPORT RequestId: 1 Duration: 2 ms', 'other'],
    [
      'a create without a key',
      request({ problem: 'idempotency-key-missing' }),
      'refused-before-judging',
    ],
    ['half a line', '{"message":"requ', 'unreadable'],
    ['no JSON', 'hello', 'unreadable'],
    [
      'a create with a lateness that is none',
      request({ ...attempt, latenessMs: 'x' }),
      'unreadable',
    ],
  ])('that is %s is told as such', (_, line, kind) => {
    expect(readLogLine(line).kind).toBe(kind);
  });

  it('of the backlog tells the longest overdue purge', () => {
    expect(readLogLine('{"_aws":{},"PurgeOverdue":[7,90000]}')).toEqual({
      kind: 'purge-overdue',
      overdueMs: 90_000,
    });
  });
});

describe('lines of a stream', () => {
  it('are whole whatever the chunks, and one without an end counts', async () => {
    const text = 'ä one\nzwö\nthree';
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

    const lines = (await Array.fromAsync(linesOf(Readable.from(bytes)))).flat();

    expect(lines).toEqual(['ä one', 'zwö', 'three']);
  });

  it('that are too long are not kept, and do not hide the next', async () => {
    const chunks = ['x'.repeat(50_000), 'x'.repeat(50_000), 'x\nshort\n'].map((c) =>
      Buffer.from(c),
    );

    const lines = (await Array.fromAsync(linesOf(Readable.from(chunks)))).flat();

    expect(lines).toEqual([OVERLONG_LINE, 'short']);
    expect(readLogLine(OVERLONG_LINE).kind).toBe('unreadable');
  });
});

describe('a report over 40,000 lines of a crowd whose lateness is known', () => {
  const crowd = [...crowdLines(40_000)];
  const retries = crowd.filter(({ retry }) => retry).map(({ latenessMs }) => latenessMs);
  let folder: string;
  let found: Findings;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-report-'));
    const half = crowd.length / 2;
    const text = (part: typeof crowd) => part.map(({ line }) => `${line}\n`).join('');
    writeFileSync(join(folder, 'a.log'), text(crowd.slice(0, half)));
    writeFileSync(join(folder, 'b.log.gz'), gzipSync(text(crowd.slice(half))));
    found = findings(await tallyLogs([join(folder, 'a.log'), join(folder, 'b.log.gz')], []));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds the percentiles that were put in', () => {
    const sorted = retries.toSorted((a, b) => a - b);

    expect(found.retries.count).toBe(retries.length);
    expect(found.retries.largestMs).toBe(sorted.at(-1));
    expect(found.retries.percentiles.map(({ share }) => share)).toEqual([
      0.5, 0.9, 0.99, 0.999, 0.9999,
    ]);
    for (const { share, latenessMs } of found.retries.percentiles) {
      const truth = sorted[Math.ceil(share * sorted.length - 1e-6) - 1] ?? Number.NaN;
      expect(latenessMs).toBeGreaterThanOrEqual(truth);
      expect(latenessMs).toBeLessThanOrEqual(truth * (1 + RELATIVE_ERROR) + 1);
    }
  });

  it('counts ages, refusals and what each window would have refused exactly', () => {
    const late = retries.filter((each) => each >= 24 * HOUR_MS);

    expect(found.late.count).toBe(late.length);
    expect(found.late.latest[0]?.latenessMs).toBe(Math.max(...late));
    for (const { windowMs, label, retriesBeyond } of found.candidates) {
      const beyond = retries.filter((each) => each >= windowMs).length;
      // A window that is no edge of the histogram may count a bucket too many, never one too few.
      if (label.startsWith('covers')) expect(retriesBeyond).toBeGreaterThanOrEqual(beyond);
      else expect(retriesBeyond).toBe(beyond);
    }
    let fromMs = Number.NEGATIVE_INFINITY;
    for (const {
      toMs = Number.POSITIVE_INFINITY,
      replayed,
      refused,
      late: tooLate,
    } of found.bands) {
      const within = retries.filter((each) => each >= fromMs && each < toMs).length;
      expect(replayed + refused + tooLate).toBe(within);
      fromMs = toMs;
    }
  });

  it('names windows that cover the share they name', () => {
    for (const { share, windowMs } of found.covers) {
      const covered = retries.filter((each) => each < windowMs).length;
      expect(covered / retries.length).toBeGreaterThanOrEqual(share);
    }
    expect(found.covers.map(({ share }) => share)).toEqual([0.999, 0.9999, 1]);
  });

  it('counts what could not be read, and leaves metric lines alone', () => {
    expect(found.lines).toBe(40_000);
    expect(found.unreadable).toBe(10);
    expect(found.attempts).toBe(40_000 - 1_000);
  });

  it('survives being written and read again, for plan', () => {
    const again = parseFindings(JSON.stringify(found));

    expect(again).toEqual(found);
    expect(seenBeyond(again, 24 * HOUR_MS).retries).toBe(found.late.count);
    expect(() => parseFindings('{"version":0}')).toThrow('not one of this version');
  });

  it('is a table and a histogram on the terminal', () => {
    const text = reportText(found);

    expect(text).toContain('24 h – 48 h');
    expect(text).toMatch(/PT24H .* in force$/m);
    expect(text).toMatch(/x{3,}/);
    expect(text).toContain('10 of 40,000 lines could not be read');
  });

  it('is a valid page without script, that asks nobody for anything and escapes what it is given', async () => {
    const page = reportPage(found);
    const report = await new HtmlValidate({
      extends: ['html-validate:standard'],
      rules: { 'no-inline-style': 'off' },
    }).validateString(page);

    expect(
      report.results.flatMap(({ messages }) => messages.map(({ message }) => message)),
    ).toEqual([]);
    expect(page).not.toMatch(/<script|<img|<link|@import|url\(|https?:/);
    expect(page).toContain('crowd &amp; co');
    expect(page).toContain('a &lt;test&gt;');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('prefers-color-scheme: dark');
  });

  it('is the same from an export of Insights, but for a percent of lateness', () => {
    const groups = new Map<string, { attempt: CreateAttempt; n: number; largest: number }>();
    for (const { line } of crowd) {
      const read = readLogLine(line);
      if (read.kind !== 'attempt') continue;
      const { outcome, keyKind, latenessMs = 0 } = read.attempt;
      const bucket = Math.floor(Math.log(Math.max(latenessMs, 1)) / Math.log(1.01));
      const name = `${outcome} ${keyKind} ${bucket}`;
      const group = groups.get(name) ?? { attempt: read.attempt, n: 0, largest: 0 };
      groups.set(name, { ...group, n: group.n + 1, largest: Math.max(group.largest, latenessMs) });
    }
    const rows = [...groups.values()].map(({ attempt, n, largest }) => ({
      attempts: `${n}`,
      outcome: attempt.outcome,
      keyKind: attempt.keyKind,
      bucket: '1',
      largestMs: `${largest}`,
      firstAt: '2026-11-01 00:00:00.000',
      lastAt: '2026-11-10 23:59:59.000',
    }));
    const api = JSON.stringify({
      status: 'Complete',
      results: rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
    });
    const names = Object.keys(rows[0] ?? {});
    const csv = [names, ...rows.map((row) => Object.values(row).map((v) => `"${v}"`))]
      .map((cells) => cells.join(','))
      .join('\r\n');

    for (const [name, text] of Object.entries({
      'a.json': api,
      'b.json': JSON.stringify(rows),
      'c.csv': csv,
    })) {
      const file = join(folder, name);
      writeFileSync(file, text);
      const of = findings(tallyInsights(file, []));
      expect(of.outcomes).toEqual(found.outcomes);
      expect(of.retries.largestMs).toBe(found.retries.largestMs);
      for (const [i, { latenessMs }] of of.retries.percentiles.entries()) {
        const seen = found.retries.percentiles[i]?.latenessMs ?? Number.NaN;
        expect(Math.abs(latenessMs - seen)).toBeLessThanOrEqual(seen * 0.02 + 2);
      }
    }
  });
});

describe('what no lateness tells', () => {
  const tally = () => emptyTally(edges);
  const at = (more: Partial<CreateAttempt>): CreateAttempt =>
    ({ atMs: 1_796_040_000_000, outcome: 'created', keyKind: 'opaque', ...more }) as CreateAttempt;

  it('is counted and left out: opaque keys without a record, mints more than a year past', () => {
    const given = tally();

    tallyAttempt(given, at({}));
    tallyAttempt(given, at({ outcome: 'expired', keyKind: 'time-stamped', latenessMs: 1.7e12 }));
    tallyAttempt(given, at({ outcome: 'replayed', latenessMs: 60_000 }));

    expect(given).toMatchObject({ withoutLateness: 1, implausible: 1, attempts: 3 });
    expect(findings(given).retries).toMatchObject({ count: 1, largestMs: 60_000 });
  });

  it('takes the backlog from the logs when they tell it', () => {
    const given = tally();
    tallyAttempt(given, at({}));
    tallyLine(given, { kind: 'purge-overdue', overdueMs: 6 * HOUR_MS });

    const { candidates } = findings(given, { keysPerDay: 1_000 });

    expect(candidates.map(({ purgeBacklogKeys }) => purgeBacklogKeys)).toContain(250);
  });

  it('says of rows that are not of the query which one', () => {
    expect(() => readInsightsExport('attempts,outcome\n1,created')).toThrow('row 1');
    expect(() => readInsightsExport('{"a":1}')).toThrow('no result of CloudWatch');
  });
});

describe('the cost model', () => {
  it('measures a typical stored key as the store writes it', () => {
    expect(measuredKeyBytes()).toBe(660);
  });

  it('is keys × (R + G + lag) × bytes × price, and 2 write units a key', () => {
    const assumed = {
      storageUsdPerGbMonth: 0.25,
      recoveryUsdPerGbMonth: 0.2,
      writeUsdPerMillion: 0.625,
      keyBytes: 660,
      purgeLagMs: 24 * HOUR_MS,
      purgeLagIs: 'given',
    } as const;

    const cost = retentionCost(48 * HOUR_MS, 1_000_000, assumed);

    expect(cost.storedKeys).toBe(3_000_000);
    expect(cost.purgeBacklogKeys).toBe(1_000_000);
    expect(cost.bytes).toBe(1_980_000_000);
    // 1.98e9 / 2^30 GB × 0.45, and 30.4167 days × 2e6 units × 0.625 / 1e6
    expect(cost.storageUsdPerMonth).toBeCloseTo(0.8298, 4);
    expect(cost.writesUsdPerMonth).toBeCloseTo(38.0208, 4);
  });
});

describe('files that are not there', () => {
  it('end the reading', async () => {
    await expect(Array.fromAsync(logLines(['/no/such.log.gz'], () => undefined))).rejects.toThrow(
      'ENOENT',
    );
    await expect(tallyLogs(['/no/such.log'], [])).rejects.toThrow('/no/such.log cannot be read');
  });
});
