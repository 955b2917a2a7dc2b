// A token that is refused says so, and what to do; the time of one attempt can be set.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { isNoAnswerError, isProblemError } from '#client/errors.ts';
import { refusedTokenWords, tokenEndMs } from '#client/refused-token.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import {
  answers,
  type ScriptedServer,
  stalls,
  startScriptedServer,
} from '#test/client/scripted-server.ts';
import { foreignAnswer, JOB_ID, problemAnswer } from '#test/client/wire-answers.ts';

const PARAMS = { articleIds: ['a-1'], format: 'text' } as const;

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

function tokenWith(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part({ sub: 'jürgen?>', ...claims })}.c2ln`;
}
const clientWith = (token: string, more: { attemptTimeoutMs?: number } = {}) =>
  clientIn(
    { ...realWorld, random: () => 0 },
    { url: server.url, token, retryBudget: retryBudget(), ...more },
  );
const failureWith = (token: string) =>
  clientWith(token)
    .createExportJob(PARAMS)
    .catch((error) => error);
const inSeconds = (fromNowS: number) => Math.floor(Date.now() / 1000) + fromNowS;

describe("the gateway's 401", () => {
  it('for a token that has expired says since when, and what to do', async () => {
    const token = tokenWith({ exp: inSeconds(-90) });
    server.script(answers(foreignAnswer(401)));

    const error = await failureWith(token);

    expect(isNoAnswerError(error)).toBe(true);
    expect(error).toMatchObject({
      outcome: 'not-executed',
      attempts: [{ status: 401, failure: 'token-refused' }],
    });
    expect(error.message).toMatch(/The token has expired 9\d s ago\. Get a new one/);
    expect(error.message).not.toContain("not the service's");
    expect(error.message).not.toContain(token);
  });

  it.each([
    ['that has not expired', tokenWith({ exp: inSeconds(3_600) })],
    ['without an end', tokenWith({})],
    ['that is no JWT', 'opaque'],
    ['whose middle is no JSON', 'a.b.c'],
  ])('for a token %s says what to check', async (_, token) => {
    server.script(answers(foreignAnswer(401)));

    const error = await failureWith(token);

    expect(error.message).toContain('The token was refused. Check');
    expect(error.outcome).toBe('not-executed');
  });

  it('says so of reads, too, and of a job that is waited for', async () => {
    const token = tokenWith({ exp: inSeconds(-90) });
    const client = clientWith(token);
    server.scriptOthers(...Array.from({ length: 3 }, () => answers(foreignAnswer(401))));

    const errors = await Promise.all([
      client.getJob(JOB_ID).catch((error) => error),
      client.waitForJob(JOB_ID).catch((error) => error),
      client
        .listArticles()
        .next()
        .catch((error) => error),
    ]);

    for (const { message } of errors) expect(message).toContain('The token has expired');
  });
});

it("the service's own 401 says what to do", async () => {
  server.script(answers(problemAnswer('unauthenticated', 401)));

  const error = await failureWith(tokenWith({ exp: inSeconds(-90) }));

  expect(isProblemError(error) && error.outcome).toBe('not-executed');
  expect(error.message).toContain('The token has expired');
});

it("the gateway's 403 speaks of rights, not of an answer that is not the service's", async () => {
  server.script(answers(foreignAnswer(403)));

  const error = await failureWith('t');

  expect(error.attempts).toMatchObject([{ failure: 'forbidden' }]);
  expect(error.message).toContain('not allowed to do this');
});

it.each([
  ['route-not-found', 404],
  ['method-not-allowed', 405],
] as const)('%s is not executed, and points at the URL', async (code, status) => {
  const { idempotencyKey: _, ...body } = JSON.parse(problemAnswer('route-not-found', status).body);
  const problem = JSON.stringify({ ...body, code, type: `/problems/${code}` });
  const headers = { 'content-type': 'application/problem+json', allow: 'GET' };
  server.script(answers({ status, headers, body: problem }));

  const error = await failureWith('t');

  expect(isProblemError(error) && error.outcome).toBe('not-executed');
  expect(error.message).toContain('Check the URL');
});

describe('the end of a token', () => {
  it.each([
    [999, 'has expired 1 s ago'],
    [1_000, 'has expired 1 s ago'],
    [1_001, 'was refused. Check'],
  ])('at %d ms, refused at 1000 ms, reads "%s"', (endMs, words) => {
    expect(refusedTokenWords(endMs, 1_000)).toContain(words);
  });

  it.each([
    ['{"exp":1}', 1_000],
    ['{"exp":"1"}', undefined],
    ['null', undefined],
    ['[]', undefined],
  ])('of claims %s is %j', (claims, endMs) => {
    expect(tokenEndMs(`h.${Buffer.from(claims).toString('base64url')}.s`)).toBe(endMs);
  });
});

describe('the time of one attempt', () => {
  const hangsAll = () => server.script(...Array.from({ length: 5 }, () => stalls));
  const sentTimeouts = () =>
    server.creates.map(({ headers }) => Number(headers['x-request-timeout-ms']));

  it('is 10 s when nobody has set it', async () => {
    await clientWith('t').createExportJob(PARAMS);

    expect(sentTimeouts()).toEqual([10_000]);
  });

  it('can be set for a call: each attempt ends in it, and another follows', async () => {
    hangsAll();

    const error = await clientWith('t')
      .createExportJob(PARAMS, { attemptTimeoutMs: 120 })
      .catch((thrown) => thrown);

    expect(error.outcome).toBe('unknown');
    expect(error.attempts.map(({ failure }: { failure: string }) => failure)).toEqual(
      Array.from({ length: 5 }, () => 'timed-out'),
    );
    expect(new Set(sentTimeouts())).toEqual(new Set([120]));
  });

  it('can be set for a client, and a call knows better', async () => {
    const client = clientWith('t', { attemptTimeoutMs: 7_000 });

    await client.createExportJob(PARAMS);
    await client.createExportJob(PARAMS, { attemptTimeoutMs: 3_000 });
    await client.getArticle('a').catch(() => {});

    expect(sentTimeouts()).toEqual([7_000, 3_000]);
    expect(server.others[0]?.headers['x-request-timeout-ms']).toBe('7000');
  });

  it.each([
    [25_000, 'wait=20'],
    [10_000, 'wait=5'],
    [6_000, 'wait=1'],
    [5_999, undefined],
  ])('of %d ms lets a poll ask for %s', async (attemptTimeoutMs, prefer) => {
    server.scriptOthers(answers(foreignAnswer(404)));

    await clientWith('t')
      .waitForJob(JOB_ID, { attemptTimeoutMs })
      .catch(() => {});

    expect(server.others[0]?.headers.prefer).toBe(prefer);
  });

  it.each([0, -1, Number.NaN, 2 ** 31])('of %d ms is refused', async (attemptTimeoutMs) => {
    const error = await clientWith('t')
      .createExportJob(PARAMS, { attemptTimeoutMs })
      .catch((thrown) => thrown);

    expect(error).toMatchObject({ code: 'argument-invalid', attempts: [] });
    expect(() => clientWith('t', { attemptTimeoutMs })).toThrow('attemptTimeoutMs');
  });
});
