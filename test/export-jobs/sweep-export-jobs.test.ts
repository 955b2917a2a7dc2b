// The safety net: what got stuck is handed over again, oldest first, a bounded number a sweep.

import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobName } from '#export-jobs/job.ts';
import { sweepExportJobs } from '#export-jobs/sweep-export-jobs.ts';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { wire } from '#handlers/wiring.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import {
  connectionOf,
  type Service,
  serviceEnvironment,
  startService,
} from '#test/support/service.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { startWorker } from '#test/support/worker-bench.ts';

const QUEUED_AFTER_MS = 120_000;
const PUT_OFF_MS = 60_000;

describe('the sweep', () => {
  let service: Service;
  let sweepPort: SweepPort;
  let close: () => void;
  let nowMs = Date.now();

  beforeEach(async () => {
    nowMs = Date.now();
    service = await startService({ world: { nowMs: () => nowMs } });
    const { dynamo, dynamoDb, tables } = wire({
      environment: serviceEnvironment(service.database),
      connection: connectionOf(service.database),
      log: testLog,
      signals: noSignals,
    });
    sweepPort = createSweepStore(dynamo, tables);
    close = () => dynamoDb.destroy();
  });
  afterEach(() => {
    service.close();
    close();
  });

  const create = async (key: string) =>
    (await service.create(key, { articleIds: ['a'], format: 'text' })).body.id as string;
  const sweep = async (atMs: number, jobsMax = 200) => {
    const handed: JobName[] = [];
    const outcome = await sweepExportJobs(
      sweepPort,
      async (job) => {
        handed.push(job);
      },
      { nowMs: epochMs(atMs), jobsMax, putOffMs: PUT_OFF_MS, storeTimeoutMs: 2_000 },
    );
    return { outcome, ids: handed.map(({ jobId }) => jobId) };
  };

  it('leaves a job alone until it is overdue, to the millisecond', async () => {
    const jobId = await create('k');

    expect((await sweep(nowMs + QUEUED_AFTER_MS)).ids).toEqual([]);
    const { ids, outcome } = await sweep(nowMs + QUEUED_AFTER_MS + 1);
    expect(ids).toEqual([jobId]);
    expect(outcome).toEqual({
      due: 1,
      handedOver: 1,
      failures: [],
      oldestDueMs: 1,
      oldestJobMs: QUEUED_AFTER_MS + 1,
    });
  });

  it('puts off what it handed over, so that it does not come again at once', async () => {
    const jobId = await create('k');
    const atMs = nowMs + QUEUED_AFTER_MS + 1;

    await sweep(atMs);

    expect((await sweep(atMs + 1)).ids).toEqual([]);
    expect((await sweep(atMs + PUT_OFF_MS + 1)).ids).toEqual([jobId]);
  });

  it('takes the oldest first over all shards, at most so many', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.push(await create(`k-${n}`));
      nowMs += 10;
    }
    const atMs = nowMs + QUEUED_AFTER_MS + 1;

    expect((await sweep(atMs, 5)).ids).toEqual(ids.slice(0, 5));
    expect((await sweep(atMs, 5)).ids).toEqual(ids.slice(5, 10));
    expect((await sweep(atMs, 5)).ids).toEqual(ids.slice(10));
  });

  it('finds a running job whose lease is long over, and no finished one', async () => {
    const finished = await create('k-1');
    const stuck = await create('k-2');
    await service.call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId: finished } });
    const worker = startWorker(service, {
      environment: { platformRemainingMs: () => 1_000 },
      ports: { spool: async () => new Promise(() => undefined) },
    });
    void worker.run(stuck).catch(() => undefined);
    let job = (await jobsOf(service.database)).find(({ jobId }) => jobId === stuck);
    while (job?.status !== 'running') {
      await new Promise((done) => setImmediate(done));
      job = (await jobsOf(service.database)).find(({ jobId }) => jobId === stuck);
    }

    const { ids } = await sweep(nowMs + 10 * 60_000);
    worker.close();

    expect(ids).toEqual([stuck]);
  });

  it('does not put off a job that moved meanwhile', async () => {
    const jobId = await create('k');
    const [job] = await jobsOf(service.database);
    await sweepExportJobs(
      sweepPort,
      async ({ owner }) => {
        await service.database.client.send(
          new UpdateItemCommand({
            TableName: 'ExportJobs',
            Key: { owner: { S: owner }, jobId: { S: jobId } },
            UpdateExpression: 'SET dueAtMs = :moved',
            ExpressionAttributeValues: { ':moved': { N: `${nowMs + 5}` } },
          }),
        );
      },
      {
        nowMs: epochMs(nowMs + QUEUED_AFTER_MS + 1),
        jobsMax: 1,
        putOffMs: 1,
        storeTimeoutMs: 2_000,
      },
    );

    expect(job?.dueAtMs).toBe(nowMs + QUEUED_AFTER_MS);
    expect((await jobsOf(service.database))[0]?.dueAtMs).toBe(nowMs + 5);
  });
});
