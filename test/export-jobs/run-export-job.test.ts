// One go at a job, on the real store: it may run twice and publishes once.

import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderArticleHere } from '#rendering/render-article.ts';
import { itemBytes } from '#store/item.ts';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { type Service, startService } from '#test/support/service.ts';
import { canned, dropReply, reset } from '#test/support/wire-actions.ts';
import { type Action, startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import {
  awsError,
  internalServerError,
  throttled,
  transactionCancelled,
} from '#test/support/wire-replies.ts';
import {
  latch,
  memoryFiles,
  notificationsOf,
  startWorker,
  storedJob,
  type Worker,
  type WorkerOptions,
} from '#test/support/worker-bench.ts';

const UPDATE = { target: 'UpdateItem', table: 'ExportJobs' };
const FINISH = { target: 'TransactWriteItems' };

describe('a run of an export job', () => {
  let proxy: WireProxy;
  let service: Service;
  let number = 0;
  const workers: Worker[] = [];

  beforeAll(async () => {
    const database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    service = await startService({ database });
    for (const articleId of ['a-1', 'a-2', 'a-3']) {
      await service.call('PUT /v1/articles/{articleId}', {
        path: { articleId },
        headers: { 'content-type': 'application/json' },
        body: { title: `Title of ${articleId}`, markdown: `Text of *${articleId}*.` },
      });
    }
  });
  afterAll(async () => {
    for (const worker of workers) worker.close();
    service.close();
    await proxy.close();
  });
  beforeEach(() => proxy.clear());

  const newJob = async (articleIds = ['a-1', 'a-2'], extra = {}): Promise<string> => {
    number += 1;
    const made = await service.create(`k-${number}`, { articleIds, format: 'text', ...extra });
    return made.body.id;
  };
  const worker = (options: WorkerOptions = {}) => {
    const started = startWorker(service, { endpoint: proxy.endpoint, ...options });
    workers.push(started);
    return started;
  };
  const cancel = (jobId: string) =>
    service.call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId } });
  const get = (jobId: string) => service.call('GET /v1/export-jobs/{jobId}', { path: { jobId } });
  const expectOneEnd = async (jobId: string, status: string) => {
    const job = await storedJob(service, jobId);
    const rows = await notificationsOf(service, jobId);
    expect(job?.status).toBe(status);
    expect(job).not.toHaveProperty('sweepShard');
    expect(job).not.toHaveProperty('dueAtMs');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ event: `export-job.${status}`, state: 'settled' });
    return job;
  };

  it('publishes the file under its own key, with size and hash, and owes one notification', async () => {
    const jobId = await newJob();
    const files = memoryFiles();

    const outcome = await worker({ files }).run(jobId);

    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded', run: 1 });
    const job = await expectOneEnd(jobId, 'succeeded');
    const [[key, bytes]] = [...files.stored] as [[string, Buffer]];
    expect(key).toBe(`exports/${job?.owner}/${jobId}/1-${job?.leaseId}.txt`);
    expect(job?.file.bytes).toBe(bytes.byteLength);
    expect(bytes.toString()).toMatch(/Title of a-1[\s\S]*Title of a-2/);
    const { body } = await get(jobId);
    expect(body).toMatchObject({
      status: 'succeeded',
      run: 1,
      progress: { done: 2, total: 2 },
      file: { bytes: bytes.byteLength, contentType: 'text/plain; charset=utf-8' },
    });
    expect(body.file.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('sets the purge of the job after its retention, and never before that of its key record', async () => {
    const short = await newJob();
    const long = await newJob();

    await worker({ environment: { jobRetentionMs: 1 } }).run(short);
    await worker().run(long);

    const [shortJob, longJob] = [await storedJob(service, short), await storedJob(service, long)];
    expect(shortJob?.purgeAtSeconds).toBe(shortJob?.keyPurgeAtSeconds);
    expect(longJob?.purgeAtSeconds).toBe(
      Math.ceil((longJob?.finishedAtMs + 30 * 86_400_000) / 1000),
    );
  });

  it('is passed by when another run holds the lease, and when the job is finished or absent', async () => {
    const jobId = await newJob();
    const rendering = latch();
    const go = latch();
    const first = worker({
      renderArticle: async (input, signal) => {
        rendering.open();
        await go.opened;
        return renderArticleHere(input, signal);
      },
    }).run(jobId);
    await rendering.opened;

    const second = await worker().run(jobId);
    go.open();

    expect(second).toEqual({ kind: 'skipped', why: 'held' });
    expect(await first).toMatchObject({ kind: 'finished', run: 1 });
    expect(await worker().run(jobId)).toEqual({ kind: 'skipped', why: 'finished' });
    expect(await worker().run('01890a5d-ac96-774b-bfcd-d3f0e0d4c9d4')).toEqual({
      kind: 'skipped',
      why: 'absent',
    });
    await expectOneEnd(jobId, 'succeeded');
  });

  it('claims once when twenty deliveries come at once', async () => {
    const jobId = await newJob();
    const files = memoryFiles();
    const one = worker({ files });

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => one.run(jobId)));

    expect(outcomes.filter(({ kind }) => kind === 'finished')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'skipped')).toHaveLength(19);
    expect(files.stored.size).toBe(1);
    expect((await expectOneEnd(jobId, 'succeeded'))?.run).toBe(1);
  });

  it.each<[string, object, Action]>([
    ['claim, answer lost', { ...UPDATE, nth: 1 }, dropReply()],
    ['claim, throttled', { ...UPDATE, nth: 1 }, canned(throttled())],
    ['claim, in conflict', { ...UPDATE, nth: 1 }, canned(awsError('TransactionConflictException'))],
    ['claim, server error', { ...UPDATE, nth: 1 }, canned(internalServerError())],
    ['claim, connection reset', { ...UPDATE, nth: 1 }, reset()],
    [
      'read of an article fails',
      { target: 'GetItem', table: 'Articles', nth: 1 },
      canned(internalServerError()),
    ],
    ['finish, answer lost', { ...FINISH, nth: 1 }, dropReply()],
    [
      'finish, in conflict',
      { ...FINISH, nth: 1 },
      canned(transactionCancelled('TransactionConflict', 'None')),
    ],
    [
      'finish, conflict on the notification',
      { ...FINISH, nth: 1 },
      canned(transactionCancelled('None', 'TransactionConflict')),
    ],
    ['finish, throttled', { ...FINISH, nth: 1 }, canned(throttled())],
    ['finish, server error', { ...FINISH, nth: 1 }, canned(internalServerError())],
  ])('ends once through a fault on the way: %s', async (_, match, fault) => {
    const jobId = await newJob();
    const rule = proxy.rule(match, fault);

    const outcome = await worker().run(jobId);

    expect(rule.fired).toBe(1);
    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded', run: 1 });
    await expectOneEnd(jobId, 'succeeded');
  });

  it('recognises its own finish when the condition fails on it', async () => {
    const jobId = await newJob();
    proxy.rule({ ...FINISH, nth: 1 }, dropReply());
    const second = proxy.rule({ ...FINISH, nth: 2 }, async (exchange) => {
      // The same transaction under another token: its condition is false by our own first write.
      const body = { ...exchange.request.body, ClientRequestToken: 'another' };
      const response = await fetch(service.database.connection.endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `${exchange.request.headers['x-amz-target']}`,
          authorization: `${exchange.request.headers.authorization}`,
          'x-amz-date': `${exchange.request.headers['x-amz-date']}`,
        },
        body: JSON.stringify(body),
      });
      exchange.reply({
        status: response.status,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: Buffer.from(await response.arrayBuffer()),
      });
    });

    const outcome = await worker().run(jobId);

    expect(second.fired).toBe(1);
    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded' });
    await expectOneEnd(jobId, 'succeeded');
  });

  it('fails with all that is missing named, and publishes nothing', async () => {
    const jobId = await newJob(['a-1', 'gone-1', 'a-2', 'gone-2']);
    const files = memoryFiles();

    const outcome = await worker({ files }).run(jobId);

    expect(outcome).toMatchObject({ status: 'failed' });
    expect(files.stored.size).toBe(0);
    await expectOneEnd(jobId, 'failed');
    const { body } = await get(jobId);
    expect(body.error).toEqual({
      code: 'articles-missing',
      detail: '2 of 4 articles do not exist: gone-1, gone-2',
      articleIds: ['gone-1', 'gone-2'],
    });
  });

  it('names all of 500 missing articles with long IDs, and the job stays under 2 KB', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(128, 'x'));
    const jobId = await newJob(ids, { title: '𝒳'.repeat(200), sourceBatchId: 'b'.repeat(255) });

    await worker().run(jobId);

    const job = await storedJob(service, jobId);
    expect(itemBytes(marshall(job ?? {}))).toBeLessThan(2048);
    expect((await get(jobId)).body.error.articleIds).toEqual(ids);
  });

  it('fails as too large before it renders more than a job may hold', async () => {
    const jobId = await newJob(['a-1', 'a-2', 'a-3']);

    await worker({ environment: { jobMarkdownBytesMax: 30 } }).run(jobId);

    await expectOneEnd(jobId, 'failed');
    expect((await get(jobId)).body.error.code).toBe('job-too-large');
  });

  it('fails for an article that cannot be rendered, and names it', async () => {
    const jobId = await newJob();

    await worker({
      renderArticle: async () => ({ kind: 'unrenderable', reason: 'time-limit' }),
    }).run(jobId);

    await expectOneEnd(jobId, 'failed');
    expect((await get(jobId)).body.error).toMatchObject({
      code: 'article-unrenderable',
      detail: expect.stringContaining('a-1'),
    });
  });

  it('gives its lease back when it fails for a passing reason, and the next run ends the job', async () => {
    const jobId = await newJob();
    const files = memoryFiles();
    const failing = { ...files, putFile: async () => Promise.reject(new Error('no S3')) };

    await expect(worker({ files: failing }).run(jobId)).rejects.toThrow('no S3');
    const between = await storedJob(service, jobId);
    const outcome = await worker({ files }).run(jobId);

    expect(between).toMatchObject({ status: 'running', run: 1 });
    expect(outcome).toMatchObject({ kind: 'finished', status: 'succeeded', run: 2 });
    await expectOneEnd(jobId, 'succeeded');
  });

  it('is given up after five runs', async () => {
    const jobId = await newJob();
    const failing = { ...memoryFiles(), putFile: async () => Promise.reject(new Error('no S3')) };
    for (let run = 1; run <= 5; run += 1) {
      await expect(worker({ files: failing }).run(jobId)).rejects.toThrow('no S3');
    }

    const outcome = await worker().run(jobId);

    expect(outcome).toMatchObject({ kind: 'finished', status: 'failed', run: 5 });
    await expectOneEnd(jobId, 'failed');
    expect((await get(jobId)).body).toMatchObject({ run: 5, error: { code: 'runs-exhausted' } });
  });

  it('is cancelled while it is queued: it ends at once and never runs', async () => {
    const jobId = await newJob();

    const answers = await Promise.all([cancel(jobId), cancel(jobId), cancel(jobId)]);

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.status).toBe('cancelled');
    }
    expect(await worker().run(jobId)).toEqual({ kind: 'skipped', why: 'finished' });
    await expectOneEnd(jobId, 'cancelled');
    expect((await cancel(jobId)).text).toBe(answers[0]?.text);
  });

  it('stops at its next heartbeat when it is cancelled while it runs', async () => {
    const jobId = await newJob();
    const rendering = latch();
    const running = worker({
      renderArticle: (_, signal) =>
        new Promise((_resolve, reject) => {
          rendering.open();
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    }).run(jobId);
    await rendering.opened;

    const asked = await cancel(jobId);

    expect(asked.body).toMatchObject({ status: 'running', cancelRequested: true });
    expect(await running).toMatchObject({ kind: 'finished', status: 'cancelled' });
    await expectOneEnd(jobId, 'cancelled');
  });

  it('never becomes succeeded after a cancel was answered, also right before the finish', async () => {
    const jobId = await newJob();
    const files = memoryFiles();
    const outcome = await worker({
      files: {
        ...files,
        putFile: async (file, signal) => {
          await files.putFile(file, signal);
          expect((await cancel(jobId)).body.cancelRequested).toBe(true);
        },
      },
      environment: { heartbeatMs: 60_000 },
    }).run(jobId);

    expect(outcome).toMatchObject({ kind: 'finished', status: 'cancelled' });
    await expectOneEnd(jobId, 'cancelled');
    const refused = await cancel(jobId);
    expect(refused.body.status).toBe('cancelled');
  });

  it('is refused a cancel once it has succeeded', async () => {
    const jobId = await newJob();
    await worker().run(jobId);

    const refused = await cancel(jobId);

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'job-already-finished', job: { id: jobId } });
    await expectOneEnd(jobId, 'succeeded');
  });

  it('that lost its lease stops, and what it wrote is not what is published', async () => {
    const jobId = await newJob();
    const files = memoryFiles();
    const stored = latch();
    const thaw = latch();
    let laterMs = 0;
    const clock = {
      nowMs: () => (Date.now() + laterMs) as never,
      monotonicMs: () => performance.now() + laterMs,
    };
    // The first worker freezes after it stored its file: no heartbeat goes out.
    const frozen = worker({
      files: {
        ...files,
        putFile: async (file, signal) => {
          await files.putFile(file, signal);
          stored.open();
          await thaw.opened;
        },
      },
      environment: { heartbeatMs: 3_600_000, leaseMs: 2_000 },
      clock,
    }).run(jobId);
    await stored.opened;
    const later = () => (Date.now() + 10_000) as never;
    const second = await worker({
      files,
      clock: { nowMs: later, monotonicMs: () => performance.now() },
    }).run(jobId);
    const published = await storedJob(service, jobId);

    laterMs = 11_000;
    thaw.open();

    expect(second).toMatchObject({ kind: 'finished', status: 'succeeded', run: 2 });
    await expect(frozen).rejects.toThrow('stopped');
    expect(await storedJob(service, jobId)).toEqual(published);
    expect(files.stored.size).toBe(2);
    expect(
      files.stored.has(`exports/${published?.owner}/${jobId}/2-${published?.leaseId}.txt`),
    ).toBe(true);
    await expectOneEnd(jobId, 'succeeded');
  });

  it('that is overtaken finds its finish refused by the fence', async () => {
    const jobId = await newJob();
    const files = memoryFiles();
    const later = () => (Date.now() + 10_000) as never;
    // Its clock stands still, so only the fence can stop it.
    const still = Date.now();
    const first = worker({
      files: {
        ...files,
        putFile: async (file, signal) => {
          await files.putFile(file, signal);
          const second = worker({
            files,
            clock: { nowMs: later, monotonicMs: () => performance.now() },
          });
          expect(await second.run(jobId)).toMatchObject({ kind: 'finished', run: 2 });
        },
      },
      environment: { heartbeatMs: 3_600_000 },
      clock: { nowMs: () => still as never, monotonicMs: () => 0 },
    });

    expect(await first.run(jobId)).toEqual({ kind: 'stale', run: 1 });
    expect((await expectOneEnd(jobId, 'succeeded'))?.run).toBe(2);
  });

  it('does not bring a job back that was deleted under it', async () => {
    const jobId = await newJob();
    const job = await storedJob(service, jobId);
    const files = memoryFiles();
    const outcome = await worker({
      files: {
        ...files,
        putFile: async () => {
          const { DeleteItemCommand } = await import('@aws-sdk/client-dynamodb');
          await service.database.client.send(
            new DeleteItemCommand({
              TableName: 'ExportJobs',
              Key: { owner: { S: job?.owner }, jobId: { S: jobId } },
            }),
          );
        },
      },
      environment: { heartbeatMs: 3_600_000 },
    }).run(jobId);

    expect(outcome).toEqual({ kind: 'stale', run: 1 });
    expect(await storedJob(service, jobId)).toBeUndefined();
    expect(await notificationsOf(service, jobId)).toEqual([]);
  });

  it('stops when its heartbeats cannot be renewed in time', async () => {
    const jobId = await newJob();
    proxy.rule(
      { ...UPDATE, where: ({ body }) => /:done/.test(body.UpdateExpression) },
      canned(internalServerError()),
    );

    const running = worker({
      environment: { leaseMs: 400, heartbeatMs: 20 },
      renderArticle: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    }).run(jobId);

    await expect(running).rejects.toThrow('lease-not-renewed');
    expect(await storedJob(service, jobId)).toMatchObject({ status: 'running', run: 1 });
  });

  it('pays two table units a heartbeat at most, for the largest job', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `${n}`.padStart(30, 'x'));
    const jobId = await newJob(ids, { title: '𝒳'.repeat(200), sourceBatchId: 'c'.repeat(255) });
    const beaten = latch();
    const beats = proxy.rule(
      { ...UPDATE, where: ({ body }) => /:done/.test(body.UpdateExpression) },
      async (exchange) => {
        exchange.reply(await exchange.forward());
        beaten.open();
      },
    );
    await worker({
      environment: { heartbeatMs: 10 },
      ports: {
        spool: async () => {
          await beaten.opened;
          throw new Error('enough');
        },
      },
    })
      .run(jobId)
      .catch(() => undefined);

    expect(beats.fired).toBeGreaterThan(0);
    const units = proxy.requests
      .filter(({ body }) => /:done/.test(body.UpdateExpression ?? ''))
      .map(({ response }) => response?.ConsumedCapacity?.Table?.CapacityUnits)
      .filter((each) => each !== undefined);
    expect(Math.max(...units)).toBeLessThanOrEqual(2);
  });
});
