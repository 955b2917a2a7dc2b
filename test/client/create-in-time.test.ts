// createExportJob over real sockets: pauses, deadlines, clocks, aborts, the retry budget.

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientIn, type ExportOnceClient } from '#client/client.ts';
import type { CreateExportJobOptions } from '#client/create-export-job.ts';
import { isNoAnswerError, isStoppedError } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import {
  answers,
  committing,
  resets,
  type ScriptedServer,
  startScriptedServer,
  works,
} from '#test/client/scripted-server.ts';
import { foreignAnswer, problemAnswer } from '#test/client/wire-answers.ts';

const PARAMS = { articleIds: ['a-1', 'a-2'], format: 'epub', title: 'Ä' } as const;
const params = { ...PARAMS, articleIds: [...PARAMS.articleIds] };

let server: ScriptedServer;
let client: ExportOnceClient;
beforeEach(async () => {
  server = await startScriptedServer();
  // No jitter: backoff takes no time, only what the server asks for does.
  const world = { ...realWorld, random: () => 0 };
  client = clientIn(world, { url: server.url, token: 'secret', retryBudget: retryBudget() });
});
afterEach(() => server.close());

const create = (options: CreateExportJobOptions = {}) => client.createExportJob(params, options);
const failure = (options: CreateExportJobOptions = {}) =>
  create(options).then(
    () => {
      throw new Error('the call succeeded');
    },
    (error) => error,
  );

describe('a request that provably was not sent', () => {
  it.each([
    ['refused', 'http://127.0.0.1:PORT', 'refused', 5],
    ['without an address', 'http://export-once.invalid', 'dns', 5],
  ])('(%s) is retried and then not executed', async (_, url, failed, count) => {
    const own = clientIn(
      { ...realWorld, random: () => 0 },
      {
        url: url.replace('PORT', new URL(server.url).port),
        token: 't',
        retryBudget: retryBudget(),
      },
    );
    await server.down();

    const error = await own.createExportJob(params).catch((thrown) => thrown);

    expect(isNoAnswerError(error)).toBe(true);
    expect(error.outcome).toBe('not-executed');
    expect(error.attempts.map(({ failure: why }: { failure: string }) => why)).toEqual(
      Array.from({ length: count }, () => failed),
    );
  });

  it('is sent once the server is there', async () => {
    await server.down();
    let isUp = false;
    const own = clientIn(
      // The wait is for the server, not for time.
      { ...realWorld, after: (ms, then) => realWorld.after(ms < 5_000 ? 50 : ms, then) },
      { url: server.url, token: 't', retryBudget: retryBudget() },
    );

    const created = await own.createExportJob(params, {
      onAttempt: () => {
        if (!isUp) void server.up();
        isUp = true;
      },
    });

    expect(created.attempts[0]).toMatchObject({ failure: 'refused', executed: 'no' });
    expect(created.attempts.at(-1)).toMatchObject({ status: 202 });
    expect(server.creates.length).toBe(created.attempts.filter((one) => one.status).length);
  });
});

describe('Retry-After', () => {
  const unavailable = (headers: Readonly<Record<string, string>>) =>
    answers(problemAnswer('store-unavailable', 503, {}, headers));
  const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';

  it.each([
    ['seconds', { 'retry-after': '1' }],
    ['IMF-fixdate', { 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT', date: DATE }],
    ['RFC 850', { 'retry-after': 'Thursday, 01-Jan-26 00:00:01 GMT', date: DATE }],
    ['asctime', { 'retry-after': 'Thu Jan  1 00:00:01 2026', date: DATE }],
  ])('(%s) is waited for', async (_, headers) => {
    server.script(unavailable(headers));

    const created = await create();

    expect(created.attempts.map(({ retryInMs }) => retryInMs)).toEqual([1_000, undefined]);
  });

  it('that is nonsense is ignored', async () => {
    server.script(unavailable({ 'retry-after': 'a while' }));

    const created = await create();

    expect(created.attempts.map(({ retryInMs }) => retryInMs)).toEqual([0, undefined]);
  });

  it.each([
    ['a 503 of the service', unavailable({ 'retry-after': '60' }), 'not-executed'],
    [
      "the gateway's 429",
      answers({ ...foreignAnswer(429), headers: { 'retry-after': '60' } }),
      'unknown',
    ],
  ])('longer than what is left ends the call at once: %s', async (_, step, outcome) => {
    server.script(step);

    const error = await failure();

    expect(isNoAnswerError(error)).toBe(true);
    expect(error.outcome).toBe(outcome);
    expect([server.creates.length, server.others.length]).toEqual([1, 0]);
  });
});

describe('an abort', () => {
  it('while an answer is waited for leaves the outcome unknown, at once and without a look-up', async () => {
    const abort = new AbortController();
    server.script((exchange) => {
      exchange.commit();
      abort.abort('enough');
    });

    const error = await failure({ signal: abort.signal });

    expect(isStoppedError(error) && error.code).toBe('aborted');
    expect(error).toMatchObject({ outcome: 'unknown', cause: 'enough' });
    expect(server.others).toHaveLength(0);
  });

  it('during a pause ends it at once, and leaves no listener behind', async () => {
    const abort = new AbortController();
    server.script(answers(problemAnswer('store-unavailable', 503, {}, { 'retry-after': '20' })));

    const error = await failure({
      signal: abort.signal,
      onAttempt: () => queueMicrotask(() => abort.abort()),
    });

    expect(error).toMatchObject({ code: 'aborted', outcome: 'not-executed' });
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
  });

  it('before the call sends nothing', async () => {
    const error = await failure({ signal: AbortSignal.abort() });

    expect(error).toMatchObject({ code: 'aborted', outcome: 'not-executed', attempts: [] });
    expect(server.creates).toHaveLength(0);
  });
});

describe('a deadline', () => {
  it('that is over sends nothing', async () => {
    const error = await failure({ deadline: new Date(Date.now() - 1) });

    expect(error).toMatchObject({ code: 'deadline-passed', outcome: 'not-executed' });
    expect(server.creates).toHaveLength(0);
  });

  it('given as an instant is the one that is sent', async () => {
    const deadline = new Date(Date.now() + 10_000);

    await create({ deadline, timeoutMs: 60_000 });

    const sent = Date.parse(`${server.creates[0]?.headers['x-request-deadline']}`);
    expect(sent).toBe(deadline.getTime());
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %d ms is refused',
    async (timeoutMs) => {
      const error = await failure({ timeoutMs });

      expect(error).toMatchObject({ code: 'argument-invalid', attempts: [] });
    },
  );
});

describe('an observer', () => {
  it('that throws ends the call, and the outcome stays what it was', async () => {
    server.script(committing(resets));

    const error = await failure({
      onAttempt() {
        throw new Error('mine');
      },
    });

    expect(error).toMatchObject({ code: 'callback-failed', outcome: 'unknown' });
    expect(error.cause.message).toBe('mine');
  });
});

describe('a retry budget', () => {
  it('that is empty lets first attempts through, refuses retries and look-ups', async () => {
    const budget = retryBudget(4);
    const own = clientIn(
      { ...realWorld, random: () => 0 },
      { url: server.url, token: 't', retryBudget: budget },
    );
    const outage = Array.from({ length: 20 }, () => resets);
    server.script(...outage);

    for (let calls = 0; calls < 3; calls += 1) {
      await own.createExportJob(params).catch(() => {});
    }

    // Five attempts of the first call use the tokens up; then one request a call.
    expect([server.creates.length, server.others.length]).toEqual([5 + 1 + 1, 0]);
  });

  it('is earned back by calls that are answered', async () => {
    const budget = retryBudget(1);
    const own = clientIn(
      { ...realWorld, random: () => 0 },
      { url: server.url, token: 't', retryBudget: budget },
    );
    server.script(resets, resets, ...Array.from({ length: 10 }, () => works), resets);
    await own.createExportJob(params).catch(() => {});

    for (let calls = 0; calls < 10; calls += 1) await own.createExportJob(params);
    const created = await own.createExportJob(params);

    expect(created.attempts.map(({ executed }) => executed)).toEqual(['unknown', 'yes']);
  });
});
