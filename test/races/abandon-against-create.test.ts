// Abandon and create of one key at once: exactly one wins, never both, never neither.

import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { type Service, startService } from '#test/support/service.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import { gate, holdRequest } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const RUNS = 100;
const WINDOW_MS = 24 * 3_600_000;

describe('abandon against create', () => {
  let proxy: WireProxy;
  let service: Service;
  let aheadMs = 0;

  beforeAll(async () => {
    const database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    service = await startService({
      database,
      endpoint: proxy.endpoint,
      world: { nowMs: () => Date.now() + aheadMs },
      environment: { STORE_TRY_TIMEOUT_MS: '300', STORE_TRIES_MAX: '1' },
    });
  });
  afterAll(async () => {
    service.close();
    await proxy.close();
  });
  const abandon = (key: string) =>
    service.call('POST /v1/operations/{key}/abandon', { path: { key } });
  const jobsOfKey = async (key: string) =>
    (await jobsOf(service.database)).filter(({ idempotencyKey }) => idempotencyKey === key);

  it(`has one winner in each of ${RUNS} races`, async () => {
    const winners = { create: 0, abandon: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const key = run % 2 ? v7() : `race-${run}`;
      const start = [() => service.create(key, BODY), () => abandon(key)];
      if (run % 4 > 1) start.reverse();
      const answers = await Promise.all(start.map((each) => each()));
      if (run % 4 > 1) answers.reverse();
      const [create, abandoned] = answers;
      const jobs = await jobsOfKey(key);
      if (create?.status === 202) {
        winners.create += 1;
        expect(abandoned?.body).toMatchObject({
          code: 'operation-committed',
          job: { id: create.body.id },
        });
        expect(jobs.map(({ jobId }) => jobId)).toEqual([create.body.id]);
      } else {
        winners.abandon += 1;
        expect(create?.body.code).toBe('operation-abandoned');
        expect(abandoned?.status).toBe(200);
        expect(jobs).toEqual([]);
      }
    }
    expect(winners.create).toBeGreaterThan(0);
    expect(winners.abandon).toBeGreaterThan(0);
  });

  it('has one winner when the create was held since before the end of the window', async () => {
    const minted = Date.now() - WINDOW_MS + 1_000;
    const key = v7({ msecs: minted });
    aheadMs = 0;
    proxy.clear();
    const late = gate();
    const rule = proxy.rule({ target: 'TransactWriteItems', nth: 1 }, holdRequest(late));
    const create = await service.create(key, BODY);
    expect(create.body.code).toBe('outcome-unknown');

    aheadMs = 2_000;
    const abandoned = await abandon(key);
    late.open();
    await forwarded();
    aheadMs = 0;

    expect(rule.fired).toBe(1);
    expect(abandoned.body).toMatchObject({ state: 'abandoned', expired: true, executed: 'no' });
    expect(await jobsOfKey(key)).toEqual([]);
    expect((await abandon(key)).status).toBe(200);
  });

  it('has one winner when the held create lands first', async () => {
    const key = v7({ msecs: Date.now() - WINDOW_MS + 1_000 });
    proxy.clear();
    const late = gate();
    proxy.rule({ target: 'TransactWriteItems', nth: 1 }, holdRequest(late));
    expect((await service.create(key, BODY)).body.code).toBe('outcome-unknown');
    late.open();
    await forwarded();

    aheadMs = 2_000;
    const abandoned = await abandon(key);
    aheadMs = 0;

    expect(abandoned.body.code).toBe('operation-committed');
    const jobs = await jobsOfKey(key);
    expect(jobs.map(({ jobId }) => jobId)).toEqual([abandoned.body.job.id]);
  });

  /** Until DynamoDB has answered the transaction that was held. */
  async function forwarded(): Promise<void> {
    const held = () => proxy.requests.find(({ target }) => target === 'TransactWriteItems');
    while (held()?.status === undefined) await new Promise((done) => setImmediate(done));
  }
});
