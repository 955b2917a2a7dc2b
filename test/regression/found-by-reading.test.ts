// Small lies and leaks that a reading of the code against the contract found, each with what made it.

import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepExportJobs } from '#export-jobs/sweep-export-jobs.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { type Service, startService } from '#test/support/service.ts';
import { itemsOf, jobsOf } from '#test/support/table-contents.ts';
import { canned } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { throttled } from '#test/support/wire-replies.ts';
import type { WireRequest } from '#test/support/wire-request.ts';
import { startWorker } from '#test/support/worker-bench.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };

describe('found by reading', () => {
  let proxy: WireProxy;
  let service: Service;
  beforeAll(async () => {
    const database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    service = await startService({ database, endpoint: proxy.endpoint });
  });
  afterAll(async () => {
    service.close();
    await proxy.close();
  });
  beforeEach(() => proxy.clear());

  // Bug: the cancellation was written, the look after it failed, and the answer said "wrote nothing".
  it('a cancel that was written is never told as one that wrote nothing', async () => {
    const { body } = await service.create('k-cancel', BODY);
    let reads = 0;
    const laterRead = ({ target }: WireRequest) => {
      if (target !== 'GetItem') return false;
      reads += 1;
      return reads > 1;
    };
    const outage = proxy.rule({ where: laterRead }, canned(throttled()));

    const answer = await service.call('POST /v1/export-jobs/{jobId}/cancel', {
      path: { jobId: body.id },
      headers: { 'x-request-timeout-ms': '1000' },
    });

    expect(outage.fired).toBeGreaterThan(0);
    const job = (await jobsOf(service.database)).find(({ jobId }) => jobId === body.id);
    expect(job?.status).toBe('cancelled');
    expect(answer.body.code).toBe('outcome-unknown');
  });

  // Bug: the item that holds a large request had no TTL, and callers' IDs stayed for ever.
  it('the request of a large job is purged, after the job', async () => {
    const articleIds = Array.from({ length: 200 }, (_, n) => `article-${n}`);
    const { body } = await service.create('k-large', { articleIds, format: 'text' });
    await service.call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId: body.id } });

    const items = (await itemsOf(service.database, 'ExportJobs')).filter(
      ({ jobId }) => jobId === body.id,
    );

    const [job, request] = items.toSorted((a) => (a.owner.endsWith('#request') ? 1 : -1));
    expect(Number.isInteger(request?.purgeAtSeconds)).toBe(true);
    expect(request?.purgeAtSeconds).toBeGreaterThan(job?.purgeAtSeconds);
  });

  // Bug: an invalid body under a deadline that had passed was told as the store's fault.
  it('a deadline that has passed is told as such, whatever the body', async () => {
    const headers = { 'x-request-deadline': '2020-01-01T00:00:00Z' };

    const answer = await service.create('k-late', { ...BODY, format: 'pdf' }, { headers });

    expect(answer.body).toMatchObject({ code: 'deadline-passed', executed: 'no' });
    expect(proxy.count()).toBe(0);
  });

  // Bug: a record of a fingerprint version that cannot be read made a 400 of an invalid body.
  it('a record that cannot be compared is told as unknown, whatever the body', async () => {
    await service.create('k-version', BODY);
    const records = await itemsOf(service.database, 'IdempotencyKeys');
    for (const { pk } of records) {
      await service.database.client.send(
        new UpdateItemCommand({
          TableName: 'IdempotencyKeys',
          Key: { pk: { S: pk } },
          UpdateExpression: 'SET fingerprint = :other',
          ExpressionAttributeValues: { ':other': { S: 'v9:unreadable' } },
        }),
      );
    }

    const answer = await service.create('k-version', { ...BODY, format: 'pdf' });

    expect(answer.body).toMatchObject({ code: 'outcome-unknown', executed: 'unknown' });
  });

  // Bug: a fault of ours forgot the key that the caller had sent.
  it('a 500 names the key, too', async () => {
    await service.create('k-corrupt', BODY);
    for (const { pk } of await itemsOf(service.database, 'IdempotencyKeys')) {
      await service.database.client.send(
        new UpdateItemCommand({
          TableName: 'IdempotencyKeys',
          Key: { pk: { S: pk } },
          UpdateExpression: 'REMOVE receipt',
        }),
      );
    }

    const answer = await service.create('k-corrupt', BODY);

    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ executed: 'unknown', idempotencyKey: 'k-corrupt' });
  });

  // Bug: two subjects that differ only in lone surrogates hash alike.
  it('a subject that UTF-8 cannot carry is nobody', async () => {
    const answer = await service.create('k', BODY, { subject: '\ud800' });

    expect(answer.body.code).toBe('unauthenticated');
  });

  // Bug: with a few milliseconds left a write was still sent, and its outcome could only be unknown.
  it('a write is not sent with no time to hear its answer', async () => {
    const answer = await service.create('k-hurry', BODY, {
      headers: { 'x-request-timeout-ms': '15' },
    });

    expect(answer.body).toMatchObject({ code: 'deadline-passed', executed: 'no' });
    expect(proxy.count()).toBe(0);
  });

  // Bug: cursors were bound to the spelling of a UUIDv7.
  it('a cursor holds for every spelling of one key', async () => {
    const key = '01A22D03-1C01-775B-A016-6177E7D02C56';
    for (let n = 0; n < 3; n += 1) await service.create(`k-page-${n}`, BODY);
    const first = await service.call('GET /v1/export-jobs', { query: { limit: '1' } });
    const lower = await service.call('GET /v1/export-jobs', {
      query: { idempotencyKey: key.toLowerCase() },
    });
    const upper = await service.call('GET /v1/export-jobs', { query: { idempotencyKey: key } });

    expect(first.body.cursor).toBeDefined();
    expect(upper.body).toEqual(lower.body);
  });

  // Bug: the first hand-over that failed ended the sweep, and nothing was put off.
  it('a hand-over that fails does not keep the others from theirs', async () => {
    const handed: string[] = [];
    const putOff: string[] = [];
    const [poisoned, second, third] = [v7(), v7(), v7()];
    const due = [poisoned, second, third].map((jobId) => ({
      owner: 'o',
      jobId,
      dueAtMs: epochMs(1),
    }));

    const { failures, handedOver } = await sweepExportJobs(
      {
        listDueJobs: async () => ({ kind: 'found', value: due }),
        putOff: async ({ jobId }) => {
          putOff.push(jobId);
        },
      } as Parameters<typeof sweepExportJobs>[0],
      async ({ jobId }) => {
        if (jobId === poisoned) throw new Error('cannot be handed over');
        handed.push(jobId);
      },
      { nowMs: epochMs(10), jobsMax: 10, putOffMs: 5, storeTimeoutMs: 1 },
    );

    expect(failures).toHaveLength(1);
    expect(handedOver).toBe(2);
    expect(handed).toEqual([second, third]);
    expect(putOff).toEqual([poisoned, second, third]);
  });

  // Bug: the end of the platform's time was looked for once a heartbeat, and never seen in time.
  it('a run stops and gives its lease back before the platform kills it', async () => {
    const { body } = await service.create('k-platform', BODY);
    const started = performance.now();
    const worker = startWorker(service, {
      environment: {
        heartbeatMs: 60_000,
        leaseMs: 120_000,
        platformRemainingMs: () => 5_200 - (performance.now() - started),
      },
      ports: {
        spool: (content) =>
          (async () => {
            for await (const _ of content);
            throw new Error('not reached');
          })(),
        openRenderer: () => ({
          renderArticle: (_, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason), { once: true });
            }),
          close: async () => undefined,
        }),
      },
    });
    await service.call('PUT /v1/articles/{articleId}', {
      path: { articleId: 'a-1' },
      headers: { 'content-type': 'application/json' },
      body: { title: 'A', markdown: 'text' },
    });

    await expect(worker.run(body.id)).rejects.toThrow('out-of-time');
    worker.close();
    const job = (await jobsOf(service.database)).find(({ jobId }) => jobId === body.id);
    expect(job?.status).toBe('running');
    expect(job?.leaseUntilMs).toBeLessThan(Date.now());
  });
});
