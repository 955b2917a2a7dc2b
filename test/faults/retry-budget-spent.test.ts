// A store that refuses for longer than this process may retry: the real handlers, SDK and DynamoDB Local,
// throttled on the wire. With a spent budget an attempt costs the store one call and tells the truth at
// once; successes earn the retries back.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type Answered, type Service, startService } from '#test/support/service.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import { canned, dropReply } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { awsError, internalServerError, throttled } from '#test/support/wire-replies.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const JOB_ID = '01890000-0000-7000-8000-000000000001';
const WRITE = { target: 'TransactWriteItems' };
const READ = { target: 'GetItem' };
/** Waits that pass at once, and no jitter: what is counted here does not depend on how long they are. */
const WORLD = { sleepMs: async () => undefined, random: () => 0 };

describe('a process whose retry budget is spent', () => {
  let database: Database;
  let proxy: WireProxy;
  let service: Service;

  beforeEach(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
  });
  afterEach(async () => {
    service.close();
    await proxy.close();
  });

  async function start(tokensMax: number): Promise<void> {
    const environment = { STORE_RETRY_TOKENS_MAX: `${tokensMax}`, READ_FIRST: 'off' };
    service = await startService({
      database,
      endpoint: proxy.endpoint,
      environment,
      world: WORLD,
    });
  }

  /** Requests of a kind that one attempt sends. */
  async function sentBy(attempt: () => Promise<Answered>, match = WRITE) {
    const before = proxy.count(match);
    const answer = await attempt();
    return { answer, sent: proxy.count(match) - before };
  }
  const create = (key: string) => () => service.create(key, BODY);

  it('sends one write an attempt, and says that nothing was written', async () => {
    await start(10);
    proxy.rule(WRITE, canned(throttled()));

    const spending = await sentBy(create('k-1'));
    const spent = await sentBy(create('k-2'));
    const again = await sentBy(create('k-2'));

    expect([spending.sent, spent.sent, again.sent]).toEqual([3, 1, 1]);
    expect(spent.answer.status).toBe(503);
    expect(spent.answer.body).toMatchObject({
      code: 'store-unavailable',
      executed: 'no',
      retry: 'same-key',
    });
    expect(Number(spent.answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await jobsOf(database)).toEqual([]);
  });

  it('asks callers for a longer wait than one that only met a throttle', async () => {
    await start(39);
    proxy.rule(WRITE, canned(throttled()));

    const seconds = async (key: string) => (await service.create(key, BODY)).headers['retry-after'];

    // Seven retries leave four tokens of 39, less than one more takes, and five of 40.
    expect(await seconds('k-1')).toBe('5');
    service.close();
    await start(40);
    expect(await seconds('k-2')).toBe('1');
    expect(await seconds('k-3')).toBe('5');
  });

  it('asks for a longer wait too when it does not know', async () => {
    const unanswered = async (tokensMax: number) => {
      await start(tokensMax);
      proxy.clear();
      proxy.rule(WRITE, canned(internalServerError()));
      proxy.rule({ ...READ, nth: 1 }, canned(awsError('ResourceNotFoundException')));
      const { headers, body } = await service.create('k', BODY);
      service.close();
      return [body.code, headers['retry-after']];
    };

    expect(await unanswered(45)).toEqual(['outcome-unknown', '2']);
    expect(await unanswered(4)).toEqual(['outcome-unknown', '10']);
  });

  it('sends as many as ever while there is enough', async () => {
    await start(35);
    proxy.rule(WRITE, canned(throttled()));

    const { sent } = await sentBy(create('k'));

    expect(sent).toBe(8);
  });

  it('serves first tries as if nothing were', async () => {
    await start(4);

    const { answer, sent } = await sentBy(create('k'));

    expect(answer.status).toBe(202);
    expect(sent).toBe(1);
  });

  it('settles a write whose answer was lost by one read', async () => {
    await start(4);
    const lost = proxy.rule({ ...WRITE, nth: 1 }, dropReply());

    const { answer, sent } = await sentBy(create('k'));

    expect(lost.fired).toBe(1);
    expect(answer.status).toBe(202);
    expect([sent, proxy.count(READ)]).toEqual([1, 1]);
    expect((await jobsOf(database)).map(({ jobId }) => jobId)).toEqual([answer.body.id]);
  });

  it('says that it does not know when that one read fails too', async () => {
    await start(4);
    proxy.rule({ ...WRITE, nth: 1 }, dropReply());
    proxy.rule(READ, canned(internalServerError()));

    const { answer, sent } = await sentBy(create('k'));

    expect(answer.body).toMatchObject({ code: 'outcome-unknown', executed: 'unknown' });
    expect([sent, proxy.count(READ)]).toEqual([1, 1]);
    expect(await jobsOf(database)).toHaveLength(1);
  });

  it.each([
    [4, 1],
    [5, 2],
  ])(
    'earns a retry by five first-try successes: after %i of them a throttled attempt sends %i',
    async (successes, writes) => {
      await start(5);
      const outage = proxy.rule(WRITE, canned(throttled()));
      await service.create('spends', BODY);
      outage.remove();
      for (let done = 0; done < successes; done += 1) {
        expect((await service.create(`done-${done}`, BODY)).status).toBe(202);
      }
      proxy.rule(WRITE, canned(throttled()));

      const { answer, sent } = await sentBy(create('k'));

      expect(sent).toBe(writes);
      expect(answer.body.code).toBe('store-unavailable');
    },
  );

  it('gets the cost of a retry back when that retry succeeds', async () => {
    await start(5);
    const hiccups = [1, 3, 5].map((nth) => proxy.rule({ ...WRITE, nth }, canned(throttled())));

    const answers = [await create('k-1')(), await create('k-2')(), await create('k-3')()];

    expect(hiccups.map(({ fired }) => fired)).toEqual([1, 1, 1]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(proxy.count(WRITE)).toBe(6);
  });

  it.each<[string, () => Promise<Answered>]>([
    ['a job', () => service.call('GET /v1/export-jobs/{jobId}', { path: { jobId: JOB_ID } })],
    ['an intent', () => service.call('GET /v1/operations/{key}', { path: { key: 'k' } })],
    [
      'an article',
      () => service.call('GET /v1/articles/{articleId}', { path: { articleId: 'a' } }),
    ],
  ])('asks the store once for %s', async (_, ask) => {
    await start(4);
    const fault = proxy.rule(READ, canned(throttled()));

    const { answer } = await sentBy(ask, READ);

    expect(fault.fired).toBe(1);
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('store-unavailable');
  });

  it.each<[string, { target: string }, () => Promise<Answered>]>([
    [
      'an abandonment',
      { target: 'PutItem' },
      () => service.call('POST /v1/operations/{key}/abandon', { path: { key: 'k' } }),
    ],
    [
      'an article put',
      { target: 'PutItem' },
      () =>
        service.call('PUT /v1/articles/{articleId}', {
          path: { articleId: 'a' },
          headers: { 'content-type': 'application/json' },
          body: { title: 'A', markdown: 'a' },
        }),
    ],
  ])('sends one write for %s', async (_, match, ask) => {
    await start(4);
    const fault = proxy.rule(match, canned(throttled()));

    const { answer, sent } = await sentBy(ask, match);

    expect([fault.fired, sent]).toEqual([1, 1]);
    expect(answer.body).toMatchObject({ code: 'store-unavailable' });
  });

  it('is one budget for all kinds of calls: reads that fail leave writes without retries', async () => {
    await start(10);
    proxy.rule(READ, canned(throttled()));
    proxy.rule(WRITE, canned(throttled()));

    const read = await sentBy(
      () => service.call('GET /v1/operations/{key}', { path: { key: 'k' } }),
      READ,
    );
    const write = await sentBy(create('k'));

    expect([read.sent, write.sent]).toEqual([3, 1]);
  });
});
