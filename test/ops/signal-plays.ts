// Requests, runs, a sweep and looks at the backlog, played through the real pipeline, stores and
// createSignals(): what each of them printed, by the name of the play.

import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 } from 'uuid';
import { expect } from 'vitest';
import { ownerOf } from '#export-jobs/create-port.ts';
import type { RunPorts, RunSettings } from '#export-jobs/run-port.ts';
import { createSignals } from '#handlers/measure.ts';
import { wire } from '#handlers/wiring.ts';
import { realWorld, sleepUntilAborted } from '#handlers/world.ts';
import type { Route } from '#http/edge-parts.ts';
import { abandonOperationRoute } from '#http/routes/abandon-operation.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';
import { serve } from '#http/serve.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { createBacklogStore } from '#store/backlog-store.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import { catchEmf, type Datum } from '#test/ops/emf-lines.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import {
  type Asked,
  connectionOf,
  gatewayEvent,
  lambdaContext,
  type Service,
  serviceEnvironment,
  startService,
} from '#test/support/service.ts';
import { testLog } from '#test/support/test-log.ts';
import { canned, dropReply, reset } from '#test/support/wire-actions.ts';
import { startWireProxy } from '#test/support/wire-proxy.ts';
import { throttled, transactionCancelled } from '#test/support/wire-replies.ts';
import { ISSUER, startWorker } from '#test/support/worker-bench.ts';
import { measureBacklogHandler } from '#worker/measure-backlog.ts';
import { runJobHandler } from '#worker/run-job.ts';
import { sweepJobsHandler } from '#worker/sweep-jobs.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const BATCH = { ...BODY, sourceBatchId: 'batch-1' };
export const HOUR_MS = 3_600_000;
const WRITE = { target: 'TransactWriteItems' };

/** Values of one metric in one play, all lines together. */
export type Played = {
  readonly of: (name: string) => readonly number[];
  readonly data: readonly Datum[];
};

type Stage = {
  nowMs: number;
  readonly database: Database;
  readonly signals: ReturnType<typeof createSignals>;
  readonly play: (name: string, work: () => Promise<unknown>) => Promise<void>;
};

export async function playSignals(): Promise<ReadonlyMap<string, Played>> {
  const printed = catchEmf();
  const plays = new Map<string, Played>();
  const stage: Stage = {
    nowMs: Date.now(),
    database: await freshDatabase(),
    signals: createSignals('prod'),
    async play(name, work) {
      const before = printed.data().length;
      await work();
      const data = printed.data().slice(before);
      const of = (metric: string) =>
        data.filter((datum) => datum.name === metric).flatMap(({ values }) => values);
      plays.set(name, { data, of });
    },
  };
  await playRequests(stage);
  await playRuns(stage);
  await playBacklog(stage);
  return plays;
}

async function playRequests(stage: Stage): Promise<void> {
  const proxy = await startWireProxy(stage.database.connection.endpoint);
  const wiring = wire({
    environment: serviceEnvironment(stage.database, {
      READ_FIRST: 'on',
      CREATE_BUDGET_MS: '3000',
      STORE_TRIES_MAX: '2',
      STORE_BACKOFF_BASE_MS: '1',
    }),
    connection: connectionOf(stage.database, proxy.endpoint),
    world: { ...realWorld, nowMs: () => stage.nowMs },
    log: testLog,
    signals: stage.signals,
  });
  const call = (routeKey: string, route: Route, asked: Asked) =>
    serve(wiring.edge, route)(
      gatewayEvent(routeKey, asked, asked.timeEpoch ?? stage.nowMs),
      lambdaContext(),
    );
  const create = (key: string, body: unknown = BODY, asked: Asked = {}) =>
    call('POST /v1/export-jobs', createExportJobRoute(wiring.commits, wiring.edge), {
      ...asked,
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...asked.headers },
    });
  const withRule = async (
    reply: Parameters<typeof proxy.rule>[1],
    work: () => Promise<unknown>,
  ) => {
    const rule = proxy.rule(WRITE, reply);
    await work();
    rule.remove();
    expect(rule.fired).toBeGreaterThan(0);
  };

  const stamped = v7({ msecs: stage.nowMs });
  await stage.play('created', () => create(stamped, BATCH));
  await stage.play('batch taken', () => create('other', BATCH));
  stage.nowMs += 6 * HOUR_MS;
  await stage.play('replayed after 6 h', () => create(stamped, BATCH));
  await stage.play('reused', () => create(stamped, { ...BODY, format: 'html' }));
  await stage.play('invalid', () => create('bad', { articleIds: [] }));
  await stage.play('in future', () => create(v7({ msecs: stage.nowMs + 10 * 60_000 })));
  await call(
    'POST /v1/operations/{key}/abandon',
    abandonOperationRoute(wiring.records, wiring.edge),
    {
      path: { key: 'given-up' },
    },
  );
  await stage.play('abandoned', () => create('given-up'));
  await stage.play('deadline passed', () =>
    create('slow', BODY, {
      headers: { 'x-request-deadline': new Date(stage.nowMs - 1).toISOString() },
    }),
  );
  await stage.play('clock', () => create('clock', BODY, { timeEpoch: stage.nowMs - 61_000 }));
  await stage.play('unknown', () => withRule(reset(), () => create('lost')));
  await stage.play('unavailable', () => withRule(canned(throttled()), () => create('throttled')));
  await stage.play('recovered', () => withRule(dropReply(), () => create('recovered')));
  proxy.rule({ ...WRITE, nth: 1 }, canned(transactionCancelled('TransactionConflict', 'None')));
  await stage.play('after a conflict', () => create('conflict'));
  stage.nowMs += 25 * HOUR_MS;
  await stage.play('late', () => create(stamped, BATCH));
  await proxy.close();
  wiring.dynamoDb.destroy();
}

async function playRuns(stage: Stage): Promise<void> {
  const settings: RunSettings = {
    tries: {
      ...realWorld,
      clock: {
        nowMs: () => epochMs(Math.floor(stage.nowMs)),
        monotonicMs: () => performance.now(),
      },
      policy: { tryTimeoutMs: 1_500, triesMax: 8, backoffBaseMs: 1, backoffCapMs: 10 },
      retries: createRetryBudget(),
    },
    newLeaseId: realWorld.newToken,
    sleepMs: sleepUntilAborted,
    leaseMs: 60_000,
    heartbeatMs: 15_000,
    runsMax: 5,
    jobMarkdownBytesMax: 1_000_000,
    jobRetentionMs: 30 * 24 * HOUR_MS,
  };
  const service: Service = await startService({
    database: stage.database,
    world: { nowMs: () => stage.nowMs },
  });
  const worker = startWorker(service);
  const owner = ownerOf({ issuer: ISSUER, subject: 'alice' });
  const newJob = async (key: string, articleIds = ['a-1']) =>
    (await service.create(key, { articleIds, format: 'text' })).body.id as string;
  const run = (jobId: string, ports: Partial<RunPorts> = {}) =>
    runJobHandler({ ...worker.ports, ...ports }, settings, {
      log: testLog,
      signals: stage.signals,
    })(
      { owner, jobId },
      lambdaContext(() => 900_000),
    );
  await service.call('PUT /v1/articles/{articleId}', {
    path: { articleId: 'a-1' },
    headers: { 'content-type': 'application/json' },
    body: { title: 'One', markdown: 'Text.' },
  });

  const fine = await newJob('fine');
  stage.nowMs += 5_000;
  await stage.play('a run', () => run(fine));
  const missing = await newJob('missing', ['absent']);
  await stage.play('a failed job', () => run(missing));
  const twice = await newJob('twice');
  const broken = () => {
    throw new Error('no thread');
  };
  await stage.play('a run that broke', () =>
    run(twice, { openRenderer: broken }).catch(() => undefined),
  );
  stage.nowMs += 1_000;
  await stage.play('a takeover', () => run(twice));
  const gone = await newJob('gone');
  await stage.play('a stale run', () =>
    run(gone, {
      files: {
        ...worker.ports.files,
        putFile: async () => {
          const Key = { owner: { S: owner }, jobId: { S: gone } };
          await stage.database.client.send(new DeleteItemCommand({ TableName: 'ExportJobs', Key }));
        },
      },
    }),
  );
  service.close();
  worker.close();
}

async function playBacklog(stage: Stage): Promise<void> {
  const owner = ownerOf({ issuer: ISSUER, subject: 'alice' });
  const { dynamo, dynamoDb, tables } = wire({
    environment: serviceEnvironment(stage.database),
    connection: connectionOf(stage.database),
    log: testLog,
    signals: stage.signals,
  });
  const parts = { log: testLog, signals: stage.signals };
  const sweep = () =>
    sweepJobsHandler(
      { sweep: createSweepStore(dynamo, tables), handOver: async () => undefined },
      { nowMs: () => stage.nowMs, jobsMax: 200, putOffMs: 120_000, storeTimeoutMs: 2_000 },
      parts,
    )();
  // The jobs of the requests above wait since then; the youngest of them is 31 h old.
  await stage.play('a first sweep', sweep);
  stage.nowMs += 121_000;
  await stage.play('a second sweep', sweep);

  const row = {
    owner,
    notificationId: 'n',
    jobId: 'n',
    dueShard: '2',
    dueAtMs: stage.nowMs - 20 * 60_000,
  };
  await stage.database.client.send(
    new PutItemCommand({ TableName: 'Notifications', Item: marshall(row) }),
  );
  let looks = 0;
  const backlog = () =>
    measureBacklogHandler(
      {
        ...createBacklogStore(dynamo, tables),
        // Segments of a small table are mostly empty: the whole of it stands for one of them.
        samplePurgeTimes: (_random, options) =>
          createBacklogStore(dynamo, tables).samplePurgeTimes(looks++ / 1_000, options),
      },
      { nowMs: () => stage.nowMs, random: Math.random, storeTimeoutMs: 2_000 },
      parts,
    )();
  stage.nowMs += 48 * HOUR_MS;
  await stage.play('the backlog', async () => {
    while (looks < 1_000) await backlog();
  });
  dynamoDb.destroy();
}
