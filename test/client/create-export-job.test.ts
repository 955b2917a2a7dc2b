// createExportJob over real sockets against a server that scripts each attempt.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientIn, type ExportOnceClient } from '#client/client.ts';
import type { CreateExportJobOptions } from '#client/create-export-job.ts';
import { isNoAnswerError, isProblemError, isStoppedError, outcomeOf } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import {
  answers,
  closes,
  committing,
  drips,
  keyOf,
  resets,
  type ScriptedServer,
  stalls,
  startScriptedServer,
  truncates,
} from '#test/client/scripted-server.ts';
import {
  foreignAnswer,
  JOB_ID,
  operationAnswer,
  problemAnswer,
  receiptAnswer,
} from '#test/client/wire-answers.ts';

const PARAMS = { articleIds: ['a-1', 'a-2'], format: 'epub', title: 'Ä' } as const;
const params = { ...PARAMS, articleIds: [...PARAMS.articleIds] };
/** A call that cannot be settled ends after this, milliseconds: time is what is tested there. */
const SHORT_MS = 600;

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

describe('one intent', () => {
  it('is sent once under a minted key when all goes well', async () => {
    const created = await create();

    expect(created).toMatchObject({ jobId: JOB_ID, settledBy: 'answer', replayed: false });
    expect(created.idempotencyKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(server.creates).toHaveLength(1);
    expect(server.creates[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'idempotency-key': `"${created.idempotencyKey}"`,
      'x-request-attempt': '1',
    });
    expect(JSON.parse(server.creates[0]?.body ?? '')).toEqual(PARAMS);
  });

  it('carries the same key, bytes and deadline on every attempt, and less time on each', async () => {
    server.script(resets, answers(foreignAnswer(502, 'text/html')), committing(resets));

    const created = await create();

    expect(server.creates).toHaveLength(4);
    const sent = (name: string) => server.creates.map(({ headers }) => headers[name]);
    expect(new Set(server.creates.map(({ body }) => body)).size).toBe(1);
    expect(new Set(server.creates.map(keyOf))).toEqual(new Set([created.idempotencyKey]));
    expect(new Set(sent('x-request-deadline')).size).toBe(1);
    expect(sent('x-request-attempt')).toEqual(['1', '2', '3', '4']);
    expect(new Set(sent('x-request-id')).size).toBe(4);
    const timeouts = sent('x-request-timeout-ms').map(Number);
    expect(timeouts.every((ms) => ms >= 1 && ms <= 10_000)).toBe(true);
    expect(server.committed.size).toBe(1);
  });

  it('sends nothing before the key is kept', async () => {
    const kept = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<string>();

    const creating = create({
      onIdempotencyKey(key) {
        asked.resolve(key);
        return kept.promise;
      },
    });
    const key = await asked.promise;
    expect(server.creates).toHaveLength(0);
    kept.resolve();

    expect((await creating).idempotencyKey).toBe(key);
    expect(keyOf(server.creates[0] as never)).toBe(key);
  });

  it('sends nothing at all when the key cannot be kept', async () => {
    const full = new Error('disk full');

    const error = await failure({ onIdempotencyKey: () => Promise.reject(full) });

    expect(isStoppedError(error) && error.code).toBe('callback-failed');
    expect(error).toMatchObject({ outcome: 'not-executed', attempts: [], cause: full });
    expect(server.creates).toHaveLength(0);
  });

  it('takes a key of the caller, as it is kept by the service', async () => {
    const upper = '0190F5FE-1B7C-7000-8000-ABCDEFABCDEF';

    const created = await create({ idempotencyKey: upper });

    expect(created.idempotencyKey).toBe(upper.toLowerCase());
    expect(keyOf(server.creates[0] as never)).toBe(upper.toLowerCase());
  });

  it.each(['', 'a b', 'ä', '..', 'a,b', '"a"', 'a'.repeat(256)])(
    'refuses the key %j before anything is sent',
    async (idempotencyKey) => {
      const error = await failure({ idempotencyKey });

      expect(isStoppedError(error) && error.code).toBe('argument-invalid');
      expect(server.creates).toHaveLength(0);
    },
  );

  it('asks for the token again before each attempt', async () => {
    let tokens = 0;
    const token = async () => `t${++tokens}`;
    server.script(resets);

    await clientIn(realWorld, { url: server.url, token }).createExportJob(params);

    const sent = server.creates.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer t1', 'Bearer t2']);
  });
});

describe('an attempt that is lost', () => {
  it.each([
    ['reset before the commit', resets, 0],
    ['reset after the commit', committing(resets), 1],
    ['closed without an answer', closes, 0],
    ['truncated after the commit', committing(truncates), 1],
    ['answered by an HTML 502', committing(answers(foreignAnswer(502, 'text/html'))), 1],
    ["answered by the gateway's 429", answers(foreignAnswer(429)), 0],
    ['answered 200 by a page that is not the service', answers(foreignAnswer(200, 'text/html')), 0],
    ['answered 202 with JSON of another shape', answers(foreignAnswer(202)), 0],
    [
      'answered 202 with the HTML type',
      answers({ ...receiptAnswer(), headers: { 'content-type': 'text/html' } }),
      0,
    ],
    [
      'answered with a problem about another key',
      answers(problemAnswer('operation-abandoned', 503, { idempotencyKey: 'other' })),
      0,
    ],
  ])('(%s) is followed by another that settles it', async (_, step, before) => {
    let committedBefore = -1;
    server.script(step);

    const created = await create({
      onAttempt: ({ attempt }) => {
        if (attempt === 1) committedBefore = server.committed.size;
      },
    });

    expect(committedBefore).toBe(before);
    expect(created.attempts.map(({ executed }) => executed)).toEqual(['unknown', 'yes']);
    expect(server.committed.size).toBe(1);
  });

  it.each([
    ['stalls before the commit', stalls, 'unknown'],
    ['drips', drips, 'unknown'],
    ['stalls after the commit', committing(stalls), 'look-up'],
    ['drips after the commit', committing(drips), 'look-up'],
  ])('(%s) is looked up by key in reserved time', async (_, step, settledBy) => {
    server.script(step, step, step, step, step);

    const end = await create({ timeoutMs: SHORT_MS }).catch((error) => error);

    expect(server.others.map(({ method }) => method)).toEqual(['GET']);
    expect(server.creates).toHaveLength(1);
    if (settledBy === 'look-up') {
      expect(end).toMatchObject({ jobId: JOB_ID, settledBy: 'look-up' });
    } else {
      expect(isNoAnswerError(end)).toBe(true);
      expect(end).toMatchObject({ outcome: 'unknown', attempts: [{ failure: 'timed-out' }] });
      expect(end.message).toContain(end.idempotencyKey);
    }
  });

  it('and five of them are looked up: found is a success', async () => {
    server.script(committing(resets), resets, resets, resets, resets);

    const created = await create();

    expect(created).toMatchObject({ jobId: JOB_ID, settledBy: 'look-up' });
    expect(created.attempts).toHaveLength(5);
  });

  it('and a definitive look-up that finds nothing settles it as not executed', async () => {
    server.script(resets, resets, resets, resets, resets);
    server.scriptOthers(({ received, answer }) => {
      const key = received.path.split('/').at(-1);
      answer(problemAnswer('operation-not-found', 404, { definitive: true, idempotencyKey: key }));
    });

    const error = await failure();

    expect(isNoAnswerError(error)).toBe(true);
    expect(error.outcome).toBe('not-executed');
  });
});

describe('a redirect', () => {
  it('is never followed, and leaves the outcome unknown', async () => {
    const headers = { location: '/v1/export-jobs/elsewhere' };
    server.script(answers({ status: 307, headers, body: '' }));

    const error = await failure();

    expect(isNoAnswerError(error) && error.attempts[0]?.failure).toBe('redirect');
    expect(error.outcome).toBe('unknown');
    expect(server.creates).toHaveLength(1);
    expect(server.others.map(({ path }) => path)).toEqual([
      `/v1/operations/${error.idempotencyKey}`,
    ]);
  });
});

describe('a refusal', () => {
  it('is final and not executed when no attempt may have been', async () => {
    server.script(answers(problemAnswer('validation-failed', 400, { errors: [] })));

    const error = await failure();

    expect(isProblemError(error) && error.problem.code).toBe('validation-failed');
    expect(error).toMatchObject({ outcome: 'not-executed', attempts: [{ status: 400 }] });
    expect(server.others).toHaveLength(0);
  });

  it('does not take back that an earlier attempt may have been executed', async () => {
    server.script(resets, answers(problemAnswer('validation-failed', 400)));

    const error = await failure();

    expect(isProblemError(error)).toBe(true);
    expect(error.outcome).toBe('unknown');
    expect(server.others).toHaveLength(1);
  });

  it('proves nothing for an intent that was sent before this call', async () => {
    const step = answers(problemAnswer('validation-failed', 400));
    server.script(step, step);

    const first = await failure({ idempotencyKey: 'k', resumed: false });
    const resumed = await failure({ idempotencyKey: 'k', resumed: true });

    expect([first.outcome, resumed.outcome]).toEqual(['not-executed', 'unknown']);
  });

  it('is no success because the key has a job: that job is of other parameters', async () => {
    server.script(answers(problemAnswer('body-too-large', 413)));
    server.scriptOthers(answers(operationAnswer('k')));

    const error = await failure({ idempotencyKey: 'k', resumed: true });

    expect(isProblemError(error) && error.problem.code).toBe('body-too-large');
    expect([outcomeOf(error), error.job?.id]).toEqual(['executed', JOB_ID]);
  });

  it.each([
    ['idempotency-key-reused', 422, {}, 'executed'],
    ['idempotency-key-expired', 412, { intent: 'committed' }, 'executed'],
    ['idempotency-key-expired', 412, {}, 'unknown'],
    ['operation-abandoned', 409, {}, 'not-executed'],
    ['source-batch-taken', 409, {}, 'unknown'],
  ] as const)('after a lost attempt, %s (%d) with %j settles it as %s', async (...row) => {
    const [code, status, members, outcome] = row;
    const job = { id: JOB_ID, href: `/v1/export-jobs/${JOB_ID}` };
    server.script(resets, answers(problemAnswer(code, status, { ...members, job })));

    const error = await failure();

    expect(isProblemError(error) && error.problem.code).toBe(code);
    expect([outcomeOf(error), error.job]).toEqual([outcome, job]);
  });

  it.each([
    [401, 'not-executed'],
    [403, 'not-executed'],
    [413, 'not-executed'],
    [431, 'not-executed'],
    [400, 'unknown'],
    [404, 'unknown'],
  ])('by the gateway itself (%d) is final, and means %s', async (status, outcome) => {
    server.script(answers(foreignAnswer(status)));

    const error = await failure();

    expect(isNoAnswerError(error)).toBe(true);
    expect([server.creates.length, error.outcome]).toEqual([1, outcome]);
  });
});
