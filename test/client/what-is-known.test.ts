// What a call may say of its intent: a key of the caller's own may have been sent before, and what one
// answer has told stays known whatever comes after it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientIn, type ExportOnceClient } from '#client/client.ts';
import type { CreateExportJobOptions } from '#client/create-export-job.ts';
import { isNoAnswerError, isStoppedError, outcomeOf } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import {
  answers,
  resets,
  type ScriptedServer,
  startScriptedServer,
} from '#test/client/scripted-server.ts';
import { JOB_ID, operationAnswer, problemAnswer } from '#test/client/wire-answers.ts';

const PARAMS = { articleIds: ['a-1'], format: 'text' } as const;
const JOB = {
  id: JOB_ID,
  status: 'running',
  idempotencyKey: 'k',
  format: 'text',
  createdAt: '2026-01-01T00:00:00.000Z',
  progress: { done: 0, total: 1 },
  links: { self: `/v1/export-jobs/${JOB_ID}`, cancel: '/c', file: '/f' },
};
const UPPER = '0190F5FE-1B7C-7000-8000-ABCDEFABCDEF';
const LOWER = UPPER.toLowerCase();

let server: ScriptedServer;
let client: ExportOnceClient;
beforeEach(async () => {
  server = await startScriptedServer();
  const world = { ...realWorld, random: () => 0 };
  client = clientIn(world, { url: server.url, token: 'secret', retryBudget: retryBudget() });
});
afterEach(() => server.close());

const failure = (options: CreateExportJobOptions = {}) =>
  client.createExportJob(PARAMS, options).then(
    () => {
      throw new Error('the call succeeded');
    },
    (error) => error,
  );
const unavailable = answers(problemAnswer('store-unavailable', 503));
const refused = answers(problemAnswer('validation-failed', 400));
const jobAnswer = { status: 200, headers: { 'content-type': 'application/json' } };

describe("a key of the caller's own", () => {
  it('may have been executed by an earlier call: refusals prove nothing', async () => {
    await client.createExportJob(PARAMS, { idempotencyKey: 'k' });
    server.script(...Array.from({ length: 5 }, () => unavailable));
    server.scriptOthers(answers(problemAnswer('store-unavailable', 503)));

    const error = await failure({ idempotencyKey: 'k' });

    expect(isNoAnswerError(error)).toBe(true);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('send it again under the key k');
  });

  it('that an earlier call executed is found by its key', async () => {
    await client.createExportJob(PARAMS, { idempotencyKey: 'k' });
    server.script(...Array.from({ length: 5 }, () => unavailable));

    const created = await client.createExportJob(PARAMS, { idempotencyKey: 'k' });

    expect(created).toMatchObject({ jobId: JOB_ID, settledBy: 'look-up' });
  });

  it('declared fresh is proven not executed by refusals', async () => {
    server.script(refused);

    expect((await failure({ idempotencyKey: 'k', resumed: false })).outcome).toBe('not-executed');
  });

  it.each([
    ['parameters without JSON', { ...PARAMS, title: 1n as unknown as string }, {}],
    ['parameters that are missing', undefined as never, {}],
    ['a timeout of nothing', PARAMS, { timeoutMs: 0 }],
    ['a deadline that is no date', PARAMS, { deadline: new Date(Number.NaN) }],
    ['an abort before the call', PARAMS, { signal: AbortSignal.abort() }],
    ['a deadline that is over', PARAMS, { deadline: new Date(0) }],
    ['a key that cannot be kept', PARAMS, { onIdempotencyKey: () => Promise.reject(new Error()) }],
  ])('is not called unexecuted because of %s, a minted one is', async (_, params, options) => {
    const outcomeWith = (more: CreateExportJobOptions) =>
      client.createExportJob(params, { ...options, ...more }).catch((error) => error);

    const [own, minted] = [await outcomeWith({ idempotencyKey: 'k' }), await outcomeWith({})];

    expect([own, minted].map(isStoppedError)).toEqual([true, true]);
    expect([own.outcome, minted.outcome]).toEqual(['unknown', 'not-executed']);
    expect(own.idempotencyKey).toBe('k');
    expect(server.creates).toHaveLength(0);
  });

  it('is not called unexecuted by an abandonment or a look-up that could not be sent', async () => {
    const outcomes = await Promise.all([
      client.abandonOperation('k', { timeoutMs: 0 }).catch(outcomeOf),
      client.lookupOperation('k', { timeoutMs: 0 }).catch(outcomeOf),
    ]);

    expect(outcomes).toEqual(['unknown', 'unknown']);
  });
});

describe('a UUIDv7 in upper case', () => {
  it('is the lower-case key wherever it enters', async () => {
    const seen: string[] = [];
    await client.createExportJob(PARAMS, {
      idempotencyKey: UPPER,
      onIdempotencyKey: (key) => void seen.push(key),
    });
    const operation = await client.lookupOperation(UPPER);
    await client.abandonOperation(UPPER).catch(() => {});
    await client
      .listJobs({ idempotencyKey: UPPER })
      .next()
      .catch(() => {});

    expect(seen).toEqual([LOWER]);
    expect(operation).toMatchObject({ key: LOWER, state: 'committed' });
    expect(server.others.map(({ path }) => path)).toEqual([
      `/v1/operations/${LOWER}`,
      `/v1/operations/${LOWER}/abandon`,
      `/v1/export-jobs?idempotencyKey=${LOWER}`,
    ]);
  });

  it('repeated under 503 is not called unexecuted', async () => {
    await client.createExportJob(PARAMS, { idempotencyKey: UPPER });
    server.script(...Array.from({ length: 5 }, () => unavailable));
    server.scriptOthers(unavailable);

    const error = await failure({ idempotencyKey: UPPER });

    expect([error.outcome, error.idempotencyKey]).toEqual(['unknown', LOWER]);
    expect(error.message).not.toContain('Nothing was executed');
  });

  it('that is part of a longer key is left as it is', async () => {
    const created = await client.createExportJob(PARAMS, { idempotencyKey: `Order-${UPPER}` });

    expect(created.idempotencyKey).toBe(`Order-${UPPER}`);
  });
});

describe('what one answer has told', () => {
  const saying = (intent: string) => answers(problemAnswer('store-unavailable', 503, { intent }));

  it.each([
    ['committed', 'executed'],
    ['abandoned', 'not-executed'],
  ])('(%s) is not taken back by an answer that is lost', async (intent, outcome) => {
    server.script(saying(intent), resets, refused);

    const error = await failure();

    expect(error.outcome).toBe(outcome);
    expect(error.attempts[0]).toMatchObject({ intent });
  });

  it('is not swapped: what was committed stays executed after "abandoned"', async () => {
    server.script(saying('committed'), answers(problemAnswer('operation-abandoned', 409)));

    expect((await failure()).outcome).toBe('executed');
  });

  it('of another key is no answer: an abandonment settles only the key it names', async () => {
    const abandoned = JSON.parse(operationAnswer('other', 'abandoned').body);
    const body = JSON.stringify({ ...abandoned, executed: 'no' });
    server.scriptOthers(...Array.from({ length: 5 }, () => answers({ ...jobAnswer, body })));

    const error = await client.abandonOperation('k').catch((thrown) => thrown);

    expect(isNoAnswerError(error) && error.outcome).toBe('unknown');
  });

  it('of a job stays known when a callback throws', async () => {
    server.scriptOthers(answers({ ...jobAnswer, body: JSON.stringify(JOB) }));
    const mine = new Error('mine');

    const error = await client
      .waitForJob(JOB_ID, {
        onProgress() {
          throw mine;
        },
      })
      .catch((thrown) => thrown);

    expect(error).toMatchObject({ code: 'callback-failed', outcome: 'executed', cause: mine });
    expect(error.job.id).toBe(JOB_ID);
  });

  it.each([
    ['that has no file yet', answers(problemAnswer('job-not-finished', 409)), 'ProblemError'],
    ['whose file is asked for in vain', resets, 'NoAnswerError'],
    ['whose download is aborted', undefined, 'StoppedError'],
  ])('of a job %s stays known in a download', async (_, step, name) => {
    const abort = new AbortController();
    server.scriptOthers(
      answers({ ...jobAnswer, body: JSON.stringify(JOB) }),
      ...Array.from({ length: 5 }, () => step ?? (() => abort.abort())),
    );
    const options = { signal: abort.signal };

    const error = await client
      .downloadFile(JOB_ID, new WritableStream(), options)
      .catch((thrown) => thrown);

    expect([error.name, error.outcome, error.job?.id]).toEqual([name, 'executed', JOB_ID]);
  });
});

it('an article without JSON is refused before anything is sent', async () => {
  const article = { title: 'T', markdown: 1n as unknown as string };

  const error = await client.putArticle('a', article).catch((thrown) => thrown);

  expect(isStoppedError(error) && error.code).toBe('argument-invalid');
  expect(server.others).toHaveLength(0);
});
