// The four stop points of a create, with a process that is really killed: whatever stopped where, the
// same key sent again ends in one job.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type Caller, callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import {
  applied,
  beforeForward,
  blackhole,
  dropReply,
  gate,
  holdReply,
  reset,
} from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const FIRST_WRITE = { target: 'TransactWriteItems', nth: 1 };

describe('a create that stops', () => {
  let database: Database;
  let proxy: WireProxy;
  let stack: RunningStack;
  let caller: Caller;
  let number = 0;
  let key = '';

  beforeAll(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = database.environment();
    stack = await startStack({ env: { ...env, DYNAMODB_ENDPOINT: proxy.endpoint } });
    caller = await callerOf(stack, 'alice');
  });
  afterAll(async () => {
    await stack?.stop();
    await proxy?.close();
  });
  beforeEach(() => {
    proxy.clear();
    number += 1;
    key = `stopped-${number}`;
  });

  const killFunctions = () => process.kill(stack.pids().http ?? Number.NaN, 'SIGKILL');
  const jobsOfKey = async () =>
    (await jobsOf(database)).filter(({ idempotencyKey }) => idempotencyKey === key);
  const expectOneJobAfterRetry = async (replayed: boolean) => {
    const retried = await caller.create(key, BODY);
    expect(retried.status).toBe(202);
    expect(retried.headers.get('idempotent-replayed')).toBe(`${replayed}`);
    expect((await jobsOfKey()).map(({ jobId }) => jobId)).toEqual([retried.body.id]);
  };

  it('before the commit leaves nothing; the retry makes the job', async () => {
    const rule = proxy.rule(FIRST_WRITE, beforeForward(killFunctions, blackhole()));

    const answer = await caller.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(500);
    expect(answer.text).toBe('{"message":"Internal Server Error"}');
    expect(await jobsOfKey()).toEqual([]);
    await expectOneJobAfterRetry(false);
  });

  it('after the commit and before the answer leaves the job; the retry replays it', async () => {
    const rule = proxy.rule(FIRST_WRITE, applied(killFunctions));

    const answer = await caller.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(500);
    expect(await jobsOfKey()).toHaveLength(1);
    await expectOneJobAfterRetry(true);
  });

  it.each([
    ['applied', dropReply(), 1],
    ['not applied', reset(), 0],
  ])(
    'when the connection is lost during the commit (%s) is settled by key',
    async (_, fault, stored) => {
      const rule = proxy.rule(FIRST_WRITE, async (exchange) => {
        await fault(exchange);
        killFunctions();
      });

      const answer = await caller.create(key, BODY);

      expect(rule.fired).toBe(1);
      expect(answer.status).toBe(500);
      expect(await jobsOfKey()).toHaveLength(stored);
      await expectOneJobAfterRetry(stored === 1);
    },
  );

  it('with its answer lost on the way leaves the job; the retry replays it', async () => {
    const answering = gate();
    proxy.rule(FIRST_WRITE, holdReply(answering));
    const gone = new AbortController();
    const lost = fetch(`${stack.url}/v1/export-jobs`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization: `Bearer ${await stack.token('alice')}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(BODY),
    });
    await answering.reached;

    gone.abort();
    await expect(lost).rejects.toThrow('abort');
    answering.open();

    await expectOneJobAfterRetry(true);
  });
});
