// An answer of status 200 that does not name the table asked proves nothing: no absence is told of it, no
// job ends by it, nothing is called deleted or stale. Likewise a refusal without what stands in the way.

import { beforeAll, describe, expect, it } from 'vitest';
import { wire } from '#handlers/wiring.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { proxy, service } from '#test/support/article-bench.ts';
import { type Asked, connectionOf, serviceEnvironment } from '#test/support/service.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { canned, replaceReply } from '#test/support/wire-actions.ts';
import {
  awsError,
  jsonReply,
  throttled,
  transactionCancelled,
} from '#test/support/wire-replies.ts';
import { startWorker, storedJob } from '#test/support/worker-bench.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** Little patience: reads are repeated until it is over. */
const HASTE = { 'x-request-timeout-ms': '150' };
const NONSENSE: readonly (readonly [string, unknown])[] = [
  ['an empty object', {}],
  ['null', null],
  ['an empty list', []],
  ['text', 'x'],
  ['an empty item', { Item: {}, ConsumedCapacity: { TableName: 'IdempotencyKeys' } }],
  ['another table', { ConsumedCapacity: { TableName: 'other', CapacityUnits: 1 } }],
  ['an empty page without its table', { Items: [], Count: 0 }],
];

const putArticle = (articleId: string, headers: Asked['headers'] = {}) =>
  service.call('PUT /v1/articles/{articleId}', {
    path: { articleId },
    headers: { ...JSON_TYPE, ...headers },
    body: { title: 'T', markdown: `of ${articleId}` },
  });

describe('a read that is answered by nonsense', () => {
  let jobId = '';
  beforeAll(async () => {
    proxy.clear();
    await putArticle('a-1');
    jobId = (await service.create('k-read', { ...BODY, sourceBatchId: 'b-read' })).body.id;
  });

  const READS: readonly (readonly [string, () => Asked])[] = [
    ['GET /v1/operations/{key}', () => ({ path: { key: 'k-read' } })],
    ['GET /v1/export-jobs/{jobId}', () => ({ path: { jobId } })],
    ['POST /v1/export-jobs/{jobId}/cancel', () => ({ path: { jobId } })],
    ['GET /v1/export-jobs/{jobId}/file', () => ({ path: { jobId } })],
    ['GET /v1/export-jobs', () => ({})],
    ['GET /v1/export-jobs', () => ({ query: { sourceBatchId: 'b-read' } })],
    ['GET /v1/export-jobs', () => ({ query: { idempotencyKey: 'k-read' } })],
    ['GET /v1/articles/{articleId}', () => ({ path: { articleId: 'a-1' } })],
    ['GET /v1/articles', () => ({})],
  ];

  it.each(NONSENSE)('is 503 on every route, never an absence: %s', async (_, body) => {
    const rule = proxy.rule({}, canned(jsonReply(200, body)));
    for (const [route, asked] of READS) {
      const answer = await service.call(route, { ...asked(), headers: HASTE });

      expect([route, answer.status, answer.body.code]).toEqual([route, 503, 'store-unavailable']);
    }
    expect(rule.fired).toBeGreaterThanOrEqual(READS.length);
  });

  it('of a key that is too old is no 412', async () => {
    const old = '01900000-0000-7000-8000-000000000001';
    proxy.rule({}, canned(jsonReply(200, {})));

    const answer = await service.create(old, BODY, { headers: HASTE });

    expect(answer.body.code).toBe('store-unavailable');
  });

  it('of a claim beside a key that is too old is no 412 without its job', async () => {
    const old = '01900000-0000-7000-8000-000000000002';
    const where = ({ tables }: { tables: readonly string[] }) => tables.includes('BusinessKeys');
    const rule = proxy.rule({ where }, canned(jsonReply(200, {})));

    const answer = await service.create(
      old,
      { ...BODY, sourceBatchId: 'b-read' },
      { headers: HASTE },
    );

    expect(rule.fired).toBeGreaterThan(0);
    expect(answer.body.code).toBe('store-unavailable');
  });

  it('ends no job: the worker waits for an article that is there', async () => {
    const where = ({ tables }: { tables: readonly string[] }) => tables.includes('Articles');
    const rule = proxy.rule({ where }, canned(jsonReply(200, {})));
    let remainingMs = 6_000;
    const worker = startWorker(service, {
      endpoint: proxy.endpoint,
      environment: { platformRemainingMs: () => (remainingMs -= 100) },
    });

    await expect(worker.run(jobId)).rejects.toThrow();
    const waiting = await storedJob(service, jobId);
    proxy.clear();
    remainingMs = 900_000;
    const outcome = await worker.run(jobId);
    worker.close();

    expect(rule.fired).toBeGreaterThan(0);
    expect(waiting?.status).toBe('running');
    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded' });
  });
});

describe('a read under a throttle', () => {
  it('of 400 ms is answered within its budget', async () => {
    const { body } = await service.create('k-throttle', BODY);
    const untilMs = performance.now() + 400;
    const busy = proxy.rule(
      { target: 'GetItem', where: () => performance.now() < untilMs },
      canned(throttled()),
    );

    const answer = await service.call('GET /v1/export-jobs/{jobId}', { path: { jobId: body.id } });

    expect(answer.status).toBe(200);
    expect(busy.fired).toBeGreaterThan(3);
  });
});

describe('a refusal that comes without what stands in the way', () => {
  const refused = () => canned(awsError('ConditionalCheckFailedException'));

  it('of a claim does not make a job absent: one read settles it', async () => {
    const { body } = await service.create('k-claim', BODY);
    await putArticle('a-1');
    proxy.rule({ target: 'UpdateItem', nth: 1 }, refused());
    const worker = startWorker(service, { endpoint: proxy.endpoint });

    const outcome = await worker.run(body.id);
    worker.close();

    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded', run: 1 });
  });

  it('of a finish that was applied is told as done, not as stale', async () => {
    const { body } = await service.create('k-finish', BODY);
    await putArticle('a-1');
    proxy.rule({ target: 'TransactWriteItems', nth: 1 }, async (exchange) => {
      await exchange.forward();
      exchange.reset();
    });
    proxy.rule(
      { target: 'TransactWriteItems', nth: 2 },
      canned(transactionCancelled('ConditionalCheckFailed', 'None')),
    );
    const worker = startWorker(service, { endpoint: proxy.endpoint });

    const outcome = await worker.run(body.id);
    worker.close();

    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded' });
  });

  it('of a DELETE is not taken for a deletion', async () => {
    await putArticle('a-delete');
    proxy.clear();
    const rule = proxy.rule({ target: 'DeleteItem' }, refused());

    const answer = await service.call('DELETE /v1/articles/{articleId}', {
      path: { articleId: 'a-delete' },
      headers: { ...HASTE, 'if-match': '"other"' },
    });

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(412);
    const ids = (await itemsOf(service.database, 'Articles')).map(({ articleId }) => articleId);
    expect(ids).toContain('a-delete');
  });

  it('of a create replays from one read, or is unknown when that read proves nothing', async () => {
    const made = await service.create('k-bare', BODY);
    const bare = canned(transactionCancelled('ConditionalCheckFailed', 'None'));
    proxy.rule({ target: 'TransactWriteItems' }, bare);

    const replay = await service.create('k-bare', BODY);
    proxy.rule({ target: 'GetItem' }, canned(jsonReply(200, {})));
    const unknown = await service.create('k-bare', BODY, { headers: HASTE });

    expect(replay.text).toBe(made.text);
    expect(unknown.body.code).toBe('outcome-unknown');
  });

  it('of a lease that cannot be read is asked again, not called stale', async () => {
    const database = service.database;
    const { leases, dynamoDb } = wire({
      environment: serviceEnvironment(database),
      connection: connectionOf(database, proxy.endpoint),
      log: testLog,
      signals: noSignals,
    });
    proxy.rule({ target: 'UpdateItem' }, refused());
    proxy.rule({ target: 'GetItem' }, replaceReply(jsonReply(200, {})));
    const options = { token: 't', timeoutMs: 1_000, maySend: () => true, afterUnknown: false };
    const job = { ...(await leaseOf()), owner: 'o', jobId: 'j' };

    const renewed = await leases.renewLease(
      { job, fence: { run: 1, leaseId: 'l' } },
      { leaseUntilMs: epochMs(Date.now() + 1_000), progressDone: 0 },
      options,
    );
    dynamoDb.destroy();

    expect(renewed.kind).toBe('unknown');

    async function leaseOf() {
      const stored = await storedJob(service, (await service.create('k-lease', BODY)).body.id);
      if (!stored) throw new Error('the job is stored');
      return stored as never as Parameters<typeof leases.renewLease>[0]['job'];
    }
  });
});
