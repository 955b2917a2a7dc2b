// A clock here that is not the service's: measured from its answers, corrected within a bound for keys and
// deadlines, and told.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { CORRECTION_MS_MAX, clockHint, serviceClock } from '#client/service-clock.ts';
import { realWorld } from '#client/world.ts';
import {
  answers,
  type ScriptedServer,
  type Step,
  startScriptedServer,
  works,
} from '#test/client/scripted-server.ts';
import { problemAnswer } from '#test/client/wire-answers.ts';

const PARAMS = { articleIds: ['a-1'], format: 'text' } as const;
const DAY_MS = 86_400_000;
/** The caller's deadline, milliseconds. */
const TIMEOUT_MS = 30_000;

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

/** Refuses what is too late by the server's own clock, as the service does; Node sends its Date. */
const judgesDeadlines: Step = (exchange) => {
  const deadlineMs = Date.parse(`${exchange.received.headers['x-request-deadline']}`);
  if (deadlineMs <= Date.now()) exchange.answer(problemAnswer('deadline-passed', 504));
  else works(exchange);
};

/** A client whose clock is so far ahead of the server's. */
const clientAhead = (aheadMs: number) =>
  clientIn(
    { ...realWorld, random: () => 0, wallMs: () => Date.now() + aheadMs },
    { url: server.url, token: 't', retryBudget: retryBudget() },
  );
const mintedMs = (key: string) => Number.parseInt(key.replace('-', '').slice(0, 12), 16);

describe('a clock that is behind', () => {
  it.each([31_000, 3_600_000, DAY_MS - 60_000])(
    'by %d ms, more than the deadline, fails no create',
    async (behindMs) => {
      server.script(...Array.from({ length: 5 }, () => judgesDeadlines));

      const created = await clientAhead(-behindMs).createExportJob(PARAMS);

      expect(created.attempts.map(({ code }) => code)).toEqual(['deadline-passed', undefined]);
      const told = created.attempts.map(({ clockOffsetMs = 0 }) => clockOffsetMs - behindMs);
      expect(told.every((errorMs) => Math.abs(errorMs) <= 2_000)).toBe(true);
    },
  );

  it('is known to the calls that follow: their deadlines and keys are right at once', async () => {
    const behindMs = 3_600_000;
    const client = clientAhead(-behindMs);
    await client.lookupOperation('k');
    server.script(judgesDeadlines);

    const created = await client.createExportJob(PARAMS);

    expect(created.attempts).toHaveLength(1);
    expect(Math.abs(mintedMs(created.idempotencyKey) - Date.now())).toBeLessThan(2_000);
    const sentMs = Date.parse(`${server.creates[0]?.headers['x-request-deadline']}`);
    expect(Math.abs(sentMs - Date.now() - TIMEOUT_MS)).toBeLessThan(2_000);
  });

  it('by more than a day is not corrected: told, and not tried again', async () => {
    server.script(judgesDeadlines);

    const error = await clientAhead(-2 * DAY_MS)
      .createExportJob(PARAMS)
      .catch((thrown) => thrown);

    expect(error.outcome).toBe('not-executed');
    expect(error.message).toMatch(/The clock here is 1728\d\d s behind the service's; too far/);
    expect(server.creates).toHaveLength(1);
  });
});

describe('a clock that is ahead', () => {
  const inFuture = (more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    answers(
      problemAnswer('idempotency-key-in-future', 400, more, { 'retry-after': '3300', ...headers }),
    );

  it('makes a key of the future: told, not executed, and right from then on', async () => {
    const client = clientAhead(3_600_000);
    server.script(inFuture());

    const error = await client.createExportJob(PARAMS).catch((thrown) => thrown);
    const created = await client.createExportJob(PARAMS);

    expect(error.outcome).toBe('not-executed');
    expect(error.message).toMatch(/The clock here is 3\d\d\d s ahead of the service's; deadlines/);
    expect(Math.abs(mintedMs(created.idempotencyKey) - Date.now())).toBeLessThan(2_000);
  });

  it('is measured by the time in the problem where no Date is shown', async () => {
    const client = clientAhead(3_600_000);
    server.script((exchange) => {
      exchange.response.sendDate = false;
      inFuture({ serverTime: new Date().toISOString() })(exchange);
    });

    const error = await client.createExportJob(PARAMS).catch((thrown) => thrown);

    expect(error.message).toContain("ahead of the service's");
  });
});

describe('a clock that is right', () => {
  it('is not spoken of, and the caller sends one deadline', async () => {
    const unavailable = answers(problemAnswer('store-unavailable', 503));
    server.script(unavailable, unavailable);

    const created = await clientAhead(0).createExportJob(PARAMS);

    expect(created.attempts.map(({ clockOffsetMs }) => clockOffsetMs)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const sent = server.creates.map(({ headers }) => headers['x-request-deadline']);
    expect(new Set(sent).size).toBe(1);
  });

  it('is not put wrong by what is no answer of the service, or comes from a cache', async () => {
    const old = new Date(Date.now() - 3_600_000).toUTCString();
    const page = { 'content-type': 'text/html', date: old };
    server.script(
      answers({ status: 502, headers: page, body: 'x' }),
      answers(problemAnswer('store-unavailable', 503, {}, { date: old, age: '3600' })),
    );

    const created = await clientAhead(0).createExportJob(PARAMS);

    expect(created.attempts.some(({ clockOffsetMs }) => clockOffsetMs !== undefined)).toBe(false);
  });
});

describe('a reading', () => {
  const reading = (thereMs: number) => ({ thereMs, sentMs: 1_000_000, receivedMs: 1_000_200 });

  it.each([
    [999_001, 0],
    [1_000_200, 0],
    [999_000, -600],
    [1_000_201, 601],
  ])('of %d there, sent at 1000000 and received at 1000200, is an offset of %d', (there, ms) => {
    const clock = serviceClock();

    clock.learn(reading(there));

    expect(clock.correctionMs()).toBe(ms);
  });

  it.each([
    [CORRECTION_MS_MAX, CORRECTION_MS_MAX],
    [CORRECTION_MS_MAX + 1, 0],
    [-CORRECTION_MS_MAX, -CORRECTION_MS_MAX],
    [-CORRECTION_MS_MAX - 1, 0],
  ])('of %d ms corrects by %d', (offsetMs, correctionMs) => {
    const clock = serviceClock();

    clock.learn({ thereMs: offsetMs, sentMs: 999, receivedMs: 0 });

    expect(clock.correctionMs()).toBe(correctionMs);
    expect(clock.offsetToldMs()).toBe(offsetMs);
  });

  it.each([
    [2_999, undefined],
    [3_000, 3_000],
    [-2_999, undefined],
    [-3_000, -3_000],
  ])('of %d ms is told as %j', (offsetMs, told) => {
    const clock = serviceClock();

    clock.learn({ thereMs: offsetMs, sentMs: 999, receivedMs: 0 });

    expect(clock.offsetToldMs()).toBe(told);
  });

  it('that fits what is known changes nothing', () => {
    const clock = serviceClock();
    clock.learn({ thereMs: 60_000, sentMs: 0, receivedMs: 400 });
    const first = clock.correctionMs();

    clock.learn({ thereMs: 70_000, sentMs: 10_000, receivedMs: 10_100 });

    expect([first, clock.correctionMs()]).toEqual([60_300, 60_300]);
  });
});

it('nothing is said of a clock that is not known to be off', () => {
  expect(clockHint(undefined)).toBe('');
});
