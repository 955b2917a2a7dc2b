// Each problem as it leaves the edge: words, status and Retry-After are the catalogue's, for every code.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { wire } from '#handlers/wiring.ts';
import { ProblemError, type ProblemExtras } from '#http/problem.ts';
import { serve } from '#http/serve.ts';
import { emptyDatabase } from '#test/support/dynamodb.ts';
import {
  answered,
  gatewayEvent,
  lambdaContext,
  type Service,
  serviceEnvironment,
  startService,
} from '#test/support/service.ts';
import { noSignals } from '#test/support/test-log.ts';

type How = { readonly extras?: ProblemExtras; readonly random?: number; readonly spent?: boolean };

async function problem(code: ProblemCode, { extras = {}, random = 0, spent = false }: How = {}) {
  const { edge: parts, dynamoDb } = wire({
    environment: serviceEnvironment(emptyDatabase()),
    log: { info: () => undefined, error: () => undefined },
    signals: noSignals,
  });
  dynamoDb.destroy();
  const answer = () => {
    throw new ProblemError(code, extras);
  };
  const world = { ...parts.world, random: () => random };
  while (spent && parts.config.retries.spend());
  const handler = serve({ ...parts, world }, { methods: ['GET'], path: '/x', keyed: true, answer });
  return answered(await handler(gatewayEvent('GET /x', {}, Date.now()), lambdaContext()));
}
const secondsOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  Number(headers['retry-after']);

describe.each(PROBLEM_CODES)('%s', (code) => {
  const entry = PROBLEMS[code];

  it('is answered in the words of the catalogue', async () => {
    const { status, body } = await problem(code);

    expect(status).toBe(entry.status);
    expect(body).toMatchObject({
      status: entry.status,
      code,
      title: entry.title,
      detail: entry.detail,
    });
    expect([body.executed, body.intent, body.retry]).toEqual([
      entry.executed,
      entry.intent,
      entry.retry,
    ]);
  });

  it('has Retry-After exactly when the catalogue has a wait', async () => {
    const answer = await problem(code);

    expect('retry-after' in answer.headers).toBe(entry.retryAfterMs !== undefined);
  });
});

describe('Retry-After', () => {
  it('is the wait in whole seconds at the least, and half of it more at the most', async () => {
    expect(secondsOf(await problem('clock-untrusted', { random: 0 }))).toBe(5);
    expect(secondsOf(await problem('clock-untrusted', { random: 0.999 }))).toBe(8);
  });

  it('is at least 1', async () => {
    expect(secondsOf(await problem('store-unavailable', { extras: { retryAfterMs: 1 } }))).toBe(1);
    expect(secondsOf(await problem('store-unavailable', { extras: { retryAfterMs: 1_001 } }))).toBe(
      2,
    );
  });

  it('is longer where the answer knows better', async () => {
    const answer = await problem('idempotency-key-in-future', {
      extras: { retryAfterMs: 3_600_000 },
    });

    expect(secondsOf(answer)).toBe(3_600);
  });
});

describe('Retry-After of an instance that has no retries left', () => {
  it('is longer where the store refused, and as ever elsewhere', async () => {
    const seconds = async (code: ProblemCode, spent: boolean) =>
      secondsOf(await problem(code, { spent }));

    expect(await seconds('store-unavailable', false)).toBe(1);
    expect(await seconds('store-unavailable', true)).toBe(5);
    expect(await seconds('outcome-unknown', true)).toBe(10);
    expect(await seconds('clock-untrusted', true)).toBe(5);
  });
});

describe('the page of a code', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it.each(PROBLEM_CODES)('%s speaks of Retry-After only if it is sent', async (code) => {
    const { text } = await service.call('GET /problems/{code}', { path: { code } });

    expect(text.includes('Retry-After')).toBe(PROBLEMS[code].retryAfterMs !== undefined);
  });
});

it('what is refused for its size or its form may be corrected under the same key', () => {
  expect(PROBLEMS['body-too-large'].retry).toBe('same-key');
  expect(PROBLEMS['unsupported-media-type'].retry).toBe('same-key');
});
