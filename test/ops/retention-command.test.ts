// `ops retention` as an operator runs it: a million lines within a small heap, a crowd of back-dated keys
// on the running stack whose lateness comes out as it was put in, and a plan against what is live.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogLine } from '#ops/retention/logs/create-attempt-line.ts';
import { type Findings, parseFindings } from '#ops/retention/logs/findings.ts';
import { RELATIVE_ERROR } from '#ops/retention/logs/lateness-histogram.ts';
import {
  latenessAt,
  readLateness,
  seededRandom,
} from '#ops/retention/simulation/synthetic-arrivals.ts';
import { callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MILLION = 1_000_000;
/** Megabytes. The lines themselves are 290. */
const HEAP_MB = 96;

type Ended = { readonly code: number | null; readonly out: string; readonly said: string };

/** @param lines of a crowd on standard input, through a pipe of the system's */
function ops(args: readonly string[], lines = 0, nodeArgs: readonly string[] = []): Promise<Ended> {
  const crowd =
    lines === 0
      ? undefined
      : spawn(process.execPath, ['test/ops/retention-crowd.ts', `${lines}`], {
          cwd: ROOT,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
  const child = spawn(
    process.execPath,
    [...nodeArgs, 'functions/ops/main.ts', 'retention', ...args],
    { cwd: ROOT, stdio: [crowd?.stdout ?? 'ignore', 'pipe', 'pipe'] },
  );
  // The reader has an end of its own; ours would keep the pipe open.
  crowd?.stdout.destroy();
  let [out, said] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, out, said })));
}

describe('a million lines', () => {
  it('are reported within a heap that could not hold a third of them', async () => {
    const { code, out } = await ops(['report', '-'], MILLION, [`--max-old-space-size=${HEAP_MB}`]);

    expect(code).toBe(0);
    expect(out).toContain('975,000 create attempts from 2026-11-01 00:00Z');
    expect(out).toContain('250 of 1,000,000 lines could not be read');
  }, 240_000);

  it('that are not there, or are no log, end with one sentence and exit code 2', async () => {
    const missing = await ops(['report', '/no/such.log']);
    const foreign = await ops(['report', 'package.json']);

    expect(missing).toEqual({ code: 2, out: '', said: '/no/such.log cannot be read\n' });
    expect(foreign.code).toBe(2);
    expect(foreign.said).toContain(
      'is a create attempt. Are they the logs of the create function?',
    );
  });
});

describe('the running stack, window 72 h, under a crowd of back-dated keys', () => {
  const KEYS = 240;
  const BODY = { articleIds: ['a-1'], format: 'text' };
  const ATTEMPTS = 2 * KEYS;
  let stack: RunningStack;
  let folder: string;
  let found: Findings;
  /** Lateness of each retry: between its sending and its answer. */
  const sent: { readonly leastMs: number; readonly mostMs: number }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-retention-'));
    stack = await startStack({
      env: {
        RETENTION_SCHEDULE: '[{"from":"2026-01-01T00:00:00Z","window":"PT72H","grace":"PT24H"}]',
      },
    });
    const caller = await callerOf(stack, 'alice');
    await caller.create('warm-up', BODY);
    const random = seededRandom(11);
    const points = readLateness('50=PT1M,90=PT10H,98=PT70H,100=PT100H');
    for (let index = 0; index < KEYS; index += 1) {
      const mintedMs = Date.now() - latenessAt(points, random());
      const key = v7({ msecs: mintedMs });
      // The first makes the job, or is refused; the second is the retry, as late.
      const first = await caller.create(key, BODY);
      const leastMs = Date.now() - mintedMs;
      const { status } = await caller.create(key, BODY);
      const mostMs = Date.now() - mintedMs;
      sent.push({ leastMs, mostMs });
      // Refused, both of them count as retries that came too late.
      if (first.status === 412) sent.push({ leastMs, mostMs });
      expect(status).toBe(first.status);
    }
    const log = await linesOfAttempts(stack, ATTEMPTS);
    writeFileSync(join(folder, 'functions.log'), log);
    const { code, out, said } = await ops([
      'report',
      join(folder, 'functions.log'),
      ...[
        '--live',
        stack.url,
        '--json',
        join(folder, 'report.json'),
        '--html',
        join(folder, 'report.html'),
      ],
    ]);
    expect({ code, said }).toEqual({ code: 0, said: '' });
    expect(out).toContain(`in force: window 3 d, grace 24 h (${stack.url})`);
    found = parseFindings(readFileSync(join(folder, 'report.json'), 'utf8'));
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('comes out as it was put in', () => {
    const least = sent.map(({ leastMs }) => leastMs).toSorted((a, b) => a - b);
    const most = sent.map(({ mostMs }) => mostMs).toSorted((a, b) => a - b);

    expect(found.retries.count).toBe(sent.length);
    for (const { share, latenessMs } of found.retries.percentiles) {
      const rank = Math.ceil(share * sent.length - 1e-6) - 1;
      // A first attempt that was refused came up to one round trip before its retry.
      expect(latenessMs).toBeGreaterThanOrEqual((least[rank] ?? Number.NaN) - FIRST_BEFORE_MS);
      expect(latenessMs).toBeLessThanOrEqual((most[rank] ?? Number.NaN) * (1 + RELATIVE_ERROR) + 1);
    }
  });

  it('has its refusals where the window ends, and nowhere before', () => {
    const windowMs = 72 * 3_600_000;

    expect(found.inForce.windowMs).toBe(windowMs);
    expect(found.late.count).toBeGreaterThan(0);
    expect(found.late.count).toBe(sent.filter(({ leastMs }) => leastMs >= windowMs).length);
    expect(
      found.bands.every(
        ({ toMs = Number.POSITIVE_INFINITY, late }) => toMs > windowMs || late === 0,
      ),
    ).toBe(true);
    expect(found.candidates.find(({ label }) => label.includes('in force'))?.retriesBeyond).toBe(
      found.late.count,
    );
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('How late retries come');
  });

  it('is what plan goes by, against the live schedule', async () => {
    const report = ['--live', stack.url, '--report', join(folder, 'report.json')];

    const short = await ops(['plan', ...report, '--window', 'PT48H']);
    const long = await ops(['plan', ...report, '--window', 'PT120H']);
    const early = await ops([
      'plan',
      ...report,
      '--window',
      'PT120H',
      '--from',
      '2026-01-02T00:00:00Z',
    ]);

    expect(short.code).toBe(1);
    expect(short.out).toContain('retries-seen');
    expect(long).toMatchObject({ code: 0, said: '' });
    expect(long.out).toContain('"window":"PT72H","grace":"PT24H"},{"from":"');
    expect(early.code).toBe(1);
    expect(early.out).toContain('a second job is made');
  });

  it('can be played through a change', async () => {
    const { code, out } = await ops([
      'simulate',
      join(folder, 'functions.log'),
      ...['--live', stack.url, '--window', 'PT120H'],
    ]);

    expect(code).toBe(0);
    expect(out).toMatch(/DUPLICATES \(time-stamped\) +0 +0 +0/);
    expect(out).toMatch(/PROMISES BROKEN +0 +0 +0/);
    const [, before, after] = /refused as too late +(\d+) +\d+ +(\d+)/.exec(out) ?? [];
    expect(Number(before)).toBe(found.late.count);
    expect(Number(after)).toBe(0);
  });

  it('is not asked where nothing answers', async () => {
    const { code, said } = await ops(['plan', '--live', 'http://127.0.0.1:1', '--window', 'PT48H']);

    expect({ code, said }).toEqual({
      code: 2,
      said: 'http://127.0.0.1:1/v1/capabilities does not answer\n',
    });
  });
});

/** Milliseconds: as long as one call of a caller may take. */
const FIRST_BEFORE_MS = 10_000;
/** The log is written by other processes. */
const LOG_LOOKS_MAX = 100;

async function linesOfAttempts(stack: RunningStack, count: number): Promise<string> {
  for (let looks = 0; looks < LOG_LOOKS_MAX; looks += 1) {
    const log = stack.functionsLog();
    const stamped = log.split('\n').filter((line) => {
      const read = readLogLine(line);
      return read.kind === 'attempt' && read.attempt.keyKind === 'time-stamped';
    });
    if (stamped.length >= count) return log;
    await pause(100);
  }
  throw new Error('the log does not tell of every attempt');
}
