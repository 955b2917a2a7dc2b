// One intent, made by the real service: what inspect reads of it, and whether it agrees.

import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTwice } from '#ops/inspect/command.ts';
import type { Asked } from '#ops/inspect/intent.ts';
import type { Target } from '#ops/target.ts';
import {
  BODY,
  byKey,
  HOUR_MS,
  type InspectBench,
  OWNER,
  openInspectBench,
  PRINCIPAL,
} from '#test/ops/inspect-bench.ts';
import { itemsOf } from '#test/support/table-contents.ts';

let bench: InspectBench;
beforeEach(async () => {
  bench = await openInspectBench();
});
afterEach(() => bench.close());

describe('a finished job', () => {
  it.each(['key', 'job', 'batch'])('is found whole by its %s, and agrees', async (by) => {
    const jobId = await bench.createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const asked: Asked =
      by === 'key'
        ? byKey('k')
        : by === 'job'
          ? { by: 'job', jobId }
          : { by: 'batch', sourceBatchId: 'b' };

    const { intent, found, text } = await bench.inspect(asked);

    expect(found).toEqual([]);
    expect(intent).toMatchObject({
      owner: OWNER,
      key: { value: 'k' },
      record: { state: 'committed', resourceId: jobId },
      job: { jobId, status: 'succeeded' },
      claim: { resourceId: jobId },
      rows: [{ event: 'export-job.succeeded', state: 'settled' }],
    });
    expect(text).toContain('What is stored agrees.');
    expect(text).toContain(`${jobId} succeeded, run 1`);
  });

  it('is told to programs as one JSON object', async () => {
    const jobId = await bench.createAndRun('k');

    expect((await bench.inspect(byKey('k'))).json).toMatchObject({
      agrees: true,
      principal: PRINCIPAL,
      job: { jobId },
      record: { receipt: expect.stringContaining(jobId) },
    });
  });

  it('is not changed by the look', async () => {
    await bench.createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const contents = () =>
      Promise.all(
        ['IdempotencyKeys', 'ExportJobs', 'BusinessKeys', 'Notifications'].map((table) =>
          itemsOf(bench.service.database, table),
        ),
      );
    const before = await contents();

    await bench.inspect(byKey('k'));

    expect(await contents()).toEqual(before);
  });
});

describe('what does not agree is said', () => {
  it('a job that is gone', async () => {
    const jobId = await bench.createAndRun('k');
    await bench.deleteItem('ExportJobs', { owner: { S: OWNER }, jobId: { S: jobId } });

    const { found, text } = await bench.inspect(byKey('k'));

    expect(found).toEqual([`the key record names job ${jobId}, which is not stored`]);
    expect(text).toContain('does NOT agree');
  });

  it('a key record that is gone: the job is found by its key', async () => {
    const jobId = await bench.createAndRun('k');
    const [record] = await itemsOf(bench.service.database, 'IdempotencyKeys');
    await bench.deleteItem('IdempotencyKeys', { pk: { S: record?.pk } });

    const { found, intent } = await bench.inspect(byKey('k'));

    expect(intent.job?.jobId).toBe(jobId);
    expect(found).toEqual([
      expect.stringMatching(`^job ${jobId} has no key record, which is to be kept until `),
    ]);
  });

  it('a key record that is gone by right is no disagreement', async () => {
    await bench.createAndRun('k');
    const [record] = await itemsOf(bench.service.database, 'IdempotencyKeys');
    await bench.deleteItem('IdempotencyKeys', { pk: { S: record?.pk } });
    bench.clock.nowMs += 49 * HOUR_MS;

    expect((await bench.inspect(byKey('k'))).found).toEqual([]);
  });

  it('a claim that is gone', async () => {
    const jobId = await bench.createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const [claim] = await itemsOf(bench.service.database, 'BusinessKeys');
    await bench.deleteItem('BusinessKeys', { pk: { S: claim?.pk } });

    expect((await bench.inspect({ by: 'job', jobId })).found).toEqual([
      `job ${jobId} has source batch b, which nobody claimed`,
    ]);
  });

  it('a claim for another job, and a notification of another end', async () => {
    const jobId = await bench.createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const other = await bench.createAndRun('k-2');
    const [claim] = await itemsOf(bench.service.database, 'BusinessKeys');
    const set = (
      TableName: string,
      Key: Record<string, { S: string }>,
      [name, value]: readonly [string, string],
    ) =>
      bench.service.database.client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: 'SET #name = :value',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': { S: value } },
        }),
      );
    await set('BusinessKeys', { pk: { S: claim?.pk } }, ['jobId', other]);
    await set('Notifications', { owner: { S: OWNER }, notificationId: { S: jobId } }, [
      'event',
      'export-job.failed',
    ]);

    expect((await bench.inspect(byKey('k'))).found).toEqual([
      `the batch is claimed for job ${other}, not ${jobId}`,
      'the notification says export-job.failed, the job is succeeded',
    ]);
  });

  it('a notification that is missing', async () => {
    const jobId = await bench.createAndRun('k');
    await bench.deleteItem('Notifications', { owner: { S: OWNER }, notificationId: { S: jobId } });

    expect((await bench.inspect(byKey('k'))).found).toEqual([
      `job ${jobId} is succeeded and owes no notification`,
    ]);
  });
});

describe('a job that finishes between two of the reads', () => {
  it('is no disagreement: all is read again', async () => {
    await bench.putArticle();
    const { body } = await bench.service.create('k', BODY);
    let jobReads = 0;
    const jobs: Target['jobs'] = {
      ...bench.target.jobs,
      async readJob(...asked) {
        const read = await bench.target.jobs.readJob(...asked);
        jobReads += 1;
        // After the job was read as queued, and before its notifications are.
        if (jobReads === 1) await bench.worker.run(body.id);
        return read;
      },
    };

    const { found, intent } = await readTwice(
      { asked: byKey('k'), principal: PRINCIPAL },
      { ...bench.target, jobs },
      () => bench.clock.nowMs,
    );

    expect(jobReads).toBe(2);
    expect(found).toEqual([]);
    expect(intent.job?.status).toBe('succeeded');
  });
});
