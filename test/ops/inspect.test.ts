// One intent, made by the real service: what inspect reads of it, whether it agrees, and that what it says
// a caller would be told is what the caller is told.

import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerOf } from '#export-jobs/create-port.ts';
import { wire } from '#handlers/wiring.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import { readTwice } from '#ops/inspect-command.ts';
import type { Asked } from '#ops/intent.ts';
import { intentAsJson, intentAsText } from '#ops/intent-report.ts';
import type { Target } from '#ops/target.ts';
import { toldNow } from '#ops/told-now.ts';
import {
  connectionOf,
  type Service,
  serviceEnvironment,
  startService,
} from '#test/support/service.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { ISSUER, startWorker, type Worker } from '#test/support/worker-bench.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const HOUR_MS = 3_600_000;
const PRINCIPAL = { issuer: ISSUER, subject: 'alice' };
const OWNER = ownerOf(PRINCIPAL);

let nowMs = Date.now();
let service: Service;
let target: Target;
let worker: Worker;
beforeEach(async () => {
  nowMs = Date.now();
  service = await startService({ world: { nowMs: () => nowMs } });
  worker = startWorker(service);
  const connection = connectionOf(service.database);
  const wiring = wire({
    environment: serviceEnvironment(service.database),
    connection,
    log: testLog,
    signals: noSignals,
  });
  target = { ...wiring, where: 'the test', connection, isLocal: true };
});
afterEach(() => {
  service.close();
  worker.close();
  target.dynamoDb.destroy();
});

const byKey = (text: string): Asked => {
  const key = parseIdempotencyKey(text);
  if (!key) throw new Error('no key');
  return { by: 'key', key };
};
async function inspect(asked: Asked) {
  const read = await readTwice(asked, PRINCIPAL, target, () => nowMs);
  const told = toldNow(read.intent, read.nowMs, target.config.retention);
  const report = { ...read, asked, principal: PRINCIPAL, where: 'the test', told };
  const answers = Object.fromEntries(told.map(({ when, answer }) => [when, answer]));
  return { ...report, answers, text: intentAsText(report), json: JSON.parse(intentAsJson(report)) };
}
async function createAndRun(key: string, body: object = BODY): Promise<string> {
  await service.call('PUT /v1/articles/{articleId}', {
    path: { articleId: 'a-1' },
    headers: { 'content-type': 'application/json' },
    body: { title: 'One', markdown: 'Text.' },
  });
  const { body: receipt } = await service.create(key, body);
  await worker.run(receipt.id);
  return receipt.id;
}
const deleteItem = (TableName: string, Key: Record<string, { S: string }>) =>
  service.database.client.send(new DeleteItemCommand({ TableName, Key }));

describe('a finished job', () => {
  it.each(['key', 'job', 'batch'])('is found whole by its %s, and agrees', async (by) => {
    const jobId = await createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const asked: Asked =
      by === 'key'
        ? byKey('k')
        : by === 'job'
          ? { by: 'job', jobId }
          : { by: 'batch', sourceBatchId: 'b' };

    const { intent, found, text } = await inspect(asked);

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
    const jobId = await createAndRun('k');

    expect((await inspect(byKey('k'))).json).toMatchObject({
      agrees: true,
      principal: PRINCIPAL,
      job: { jobId },
      record: { receipt: expect.stringContaining(jobId) },
    });
  });

  it('is not changed by the look', async () => {
    await createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const contents = () =>
      Promise.all(
        ['IdempotencyKeys', 'ExportJobs', 'BusinessKeys', 'Notifications'].map((table) =>
          itemsOf(service.database, table),
        ),
      );
    const before = await contents();

    await inspect(byKey('k'));

    expect(await contents()).toEqual(before);
  });
});

describe('what a caller would be told', () => {
  const SAME = 'the same request again';
  const OTHER = 'other parameters under this key';
  const send = async (key: string, body: object = BODY) => {
    const { status, body: answer, headers } = await service.create(key, body);
    if (status !== 202) return answer.code as string;
    return headers['idempotent-replayed'] === 'true' ? 'replayed' : 'created';
  };
  const lookUp = async (key: string) => {
    const { status, body } = await service.call('GET /v1/operations/{key}', { path: { key } });
    return status === 200 ? 'found' : body.code;
  };
  const abandon = async (key: string) => {
    const { status, body } = await service.call('POST /v1/operations/{key}/abandon', {
      path: { key },
    });
    return status === 200 ? 'abandoned' : body.code;
  };

  const stamped = (agoMs: number) => v7({ msecs: Date.now() - agoMs });
  const STATES: [string, () => Promise<string>][] = [
    ['of an opaque key that nobody sent', async () => 'unsent'],
    ['of a fresh time-stamped key that nobody sent', async () => stamped(0)],
    ['of a time-stamped key past its window that nobody sent', async () => stamped(25 * HOUR_MS)],
    ['of a key minted in the future', async () => stamped(-HOUR_MS)],
    ['of a key that made a job', async () => (await send('used')) && 'used'],
    ['of a key that was abandoned', async () => (await abandon('given-up')) && 'given-up'],
    [
      'of a key whose record has expired',
      async () => {
        await send('old');
        nowMs += 25 * HOUR_MS;
        return 'old';
      },
    ],
    [
      'of a key whose record is gone, after its window',
      async () => {
        const key = stamped(0);
        await send(key);
        const [record] = await itemsOf(service.database, 'IdempotencyKeys');
        await deleteItem('IdempotencyKeys', { pk: { S: record?.pk } });
        nowMs += 49 * HOUR_MS;
        return key;
      },
    ],
  ];

  it.each(STATES)('%s is what the caller is told', async (_, arrange) => {
    const key = await arrange();

    const { answers } = await inspect(byKey(key));

    expect(answers['a look-up']).toBe(await lookUp(key));
    expect(answers[OTHER]).toBe(await send(key, { ...BODY, format: 'html' }));
    if (answers[OTHER] !== 'created') expect(answers[SAME]).toBe(await send(key));
    if (answers[SAME] !== 'created') expect(answers['an abandon']).toBe(await abandon(key));
  });
});

describe('what does not agree is said', () => {
  it('a job that is gone', async () => {
    const jobId = await createAndRun('k');
    await deleteItem('ExportJobs', { owner: { S: OWNER }, jobId: { S: jobId } });

    const { found, text } = await inspect(byKey('k'));

    expect(found).toEqual([`the key record names job ${jobId}, which is not stored`]);
    expect(text).toContain('does NOT agree');
  });

  it('a key record that is gone: the job is found by its key', async () => {
    const jobId = await createAndRun('k');
    const [record] = await itemsOf(service.database, 'IdempotencyKeys');
    await deleteItem('IdempotencyKeys', { pk: { S: record?.pk } });

    const { found, intent } = await inspect(byKey('k'));

    expect(intent.job?.jobId).toBe(jobId);
    expect(found).toEqual([
      expect.stringMatching(`^job ${jobId} has no key record, which is to be kept until `),
    ]);
  });

  it('a key record that is gone by right is no disagreement', async () => {
    await createAndRun('k');
    const [record] = await itemsOf(service.database, 'IdempotencyKeys');
    await deleteItem('IdempotencyKeys', { pk: { S: record?.pk } });
    nowMs += 49 * HOUR_MS;

    expect((await inspect(byKey('k'))).found).toEqual([]);
  });

  it('a claim that is gone', async () => {
    const jobId = await createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const [claim] = await itemsOf(service.database, 'BusinessKeys');
    await deleteItem('BusinessKeys', { pk: { S: claim?.pk } });

    expect((await inspect({ by: 'job', jobId })).found).toEqual([
      `job ${jobId} has source batch b, which nobody claimed`,
    ]);
  });

  it('a claim for another job, and a notification of another end', async () => {
    const jobId = await createAndRun('k', { ...BODY, sourceBatchId: 'b' });
    const other = await createAndRun('k-2');
    const [claim] = await itemsOf(service.database, 'BusinessKeys');
    const set = (
      TableName: string,
      Key: Record<string, { S: string }>,
      name: string,
      value: string,
    ) =>
      service.database.client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: 'SET #name = :value',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': { S: value } },
        }),
      );
    await set('BusinessKeys', { pk: { S: claim?.pk } }, 'jobId', other);
    await set(
      'Notifications',
      { owner: { S: OWNER }, notificationId: { S: jobId } },
      'event',
      'export-job.failed',
    );

    expect((await inspect(byKey('k'))).found).toEqual([
      `the batch is claimed for job ${other}, not ${jobId}`,
      'the notification says export-job.failed, the job is succeeded',
    ]);
  });

  it('a notification that is missing', async () => {
    const jobId = await createAndRun('k');
    await deleteItem('Notifications', { owner: { S: OWNER }, notificationId: { S: jobId } });

    expect((await inspect(byKey('k'))).found).toEqual([
      `job ${jobId} is succeeded and owes no notification`,
    ]);
  });
});

describe('a job that finishes between two of the reads', () => {
  it('is no disagreement: all is read again', async () => {
    await service.call('PUT /v1/articles/{articleId}', {
      path: { articleId: 'a-1' },
      headers: { 'content-type': 'application/json' },
      body: { title: 'One', markdown: 'Text.' },
    });
    const { body } = await service.create('k', BODY);
    let jobReads = 0;
    const jobs: Target['jobs'] = {
      ...target.jobs,
      async readJob(...asked) {
        const read = await target.jobs.readJob(...asked);
        jobReads += 1;
        // After the job was read as queued, and before its notifications are.
        if (jobReads === 1) await worker.run(body.id);
        return read;
      },
    };

    const { found, intent } = await readTwice(
      byKey('k'),
      PRINCIPAL,
      { ...target, jobs },
      () => nowMs,
    );

    expect(jobReads).toBe(2);
    expect(found).toEqual([]);
    expect(intent.job?.status).toBe('succeeded');
  });
});
