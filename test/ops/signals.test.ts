// What the code really emits: requests, runs, a sweep and a look at the backlog, played through the real
// pipeline, stores and createSignals(), read back as CloudWatch would read the printed lines.

import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '#contract/metrics.ts';
import { ownerOf } from '#export-jobs/create-port.ts';
import type { RunPorts } from '#export-jobs/run-port.ts';
import { createSignals } from '#handlers/measure.ts';
import { wire } from '#handlers/wiring.ts';
import { realWorld, sleepUntilAborted } from '#handlers/world.ts';
import { edge, type Route } from '#http/edge.ts';
import { abandonOperationRoute } from '#http/routes/abandon-operation.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { createBacklogStore } from '#store/backlog-store.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import { catchEmf, type Datum } from '#test/ops/emf-lines.ts';
import { freshDatabase } from '#test/support/dynamodb.ts';
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
import { type RunSettings, runJobHandler } from '#worker/run-job.ts';
import { sweepJobsHandler } from '#worker/sweep-jobs.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const BATCH = { ...BODY, sourceBatchId: 'batch-1' };
const HOUR_MS = 3_600_000;
const WRITE = { target: 'TransactWriteItems' };

/** Values of one metric in one play, all lines together. */
type Played = { readonly of: (name: string) => readonly number[]; readonly data: readonly Datum[] };
const plays = new Map<string, Played>();
const played = (name: string): Played => plays.get(name) as Played;

async function play(name: string, work: () => Promise<unknown>): Promise<void> {
  const before = printed.data().length;
  await work();
  const data = printed.data().slice(before);
  const of = (metric: string) =>
    data.filter((datum) => datum.name === metric).flatMap(({ values }) => values);
  plays.set(name, { data, of });
}
let printed: ReturnType<typeof catchEmf>;

beforeAll(async () => {
  printed = catchEmf();
  const signals = createSignals('prod');
  const database = await freshDatabase();
  const proxy = await startWireProxy(database.connection.endpoint);
  let nowMs = Date.now();
  const wiring = wire({
    environment: serviceEnvironment(database, {
      READ_FIRST: 'on',
      CREATE_BUDGET_MS: '3000',
      STORE_TRIES_MAX: '2',
      STORE_BACKOFF_BASE_MS: '1',
    }),
    connection: connectionOf(database, proxy.endpoint),
    world: { ...realWorld, nowMs: () => nowMs },
    log: testLog,
    signals,
  });
  const call = (routeKey: string, route: Route, asked: Asked) =>
    edge(route, wiring.edge)(
      gatewayEvent(routeKey, asked, asked.timeEpoch ?? nowMs),
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

  const stamped = v7({ msecs: nowMs });
  await play('created', () => create(stamped, BATCH));
  await play('batch taken', () => create('other', BATCH));
  nowMs += 6 * HOUR_MS;
  await play('replayed after 6 h', () => create(stamped, BATCH));
  await play('reused', () => create(stamped, { ...BODY, format: 'html' }));
  await play('invalid', () => create('bad', { articleIds: [] }));
  await play('in future', () => create(v7({ msecs: nowMs + 10 * 60_000 })));
  await call(
    'POST /v1/operations/{key}/abandon',
    abandonOperationRoute(wiring.records, wiring.edge),
    {
      path: { key: 'given-up' },
    },
  );
  await play('abandoned', () => create('given-up'));
  await play('deadline passed', () =>
    create('slow', BODY, { headers: { 'x-request-deadline': new Date(nowMs - 1).toISOString() } }),
  );
  await play('clock', () => create('clock', BODY, { timeEpoch: nowMs - 61_000 }));
  await play('unknown', () => withRule(reset(), () => create('lost')));
  await play('unavailable', () => withRule(canned(throttled()), () => create('throttled')));
  await play('recovered', () => withRule(dropReply(), () => create('recovered')));
  proxy.rule({ ...WRITE, nth: 1 }, canned(transactionCancelled('TransactionConflict', 'None')));
  await play('after a conflict', () => create('conflict'));
  nowMs += 25 * HOUR_MS;
  await play('late', () => create(stamped, BATCH));
  await proxy.close();

  const settings: RunSettings = {
    clock: { nowMs: () => epochMs(Math.floor(nowMs)), monotonicMs: () => performance.now() },
    policy: wiring.tries,
    random: Math.random,
    newToken: realWorld.newToken,
    newLeaseId: realWorld.newToken,
    sleepMs: sleepUntilAborted,
    leaseMs: 60_000,
    heartbeatMs: 15_000,
    runsMax: 5,
    jobMarkdownBytesMax: 1_000_000,
    jobRetentionMs: 30 * 24 * HOUR_MS,
  };
  const service: Service = await startService({ database, world: { nowMs: () => nowMs } });
  const worker = startWorker(service);
  const owner = ownerOf({ issuer: ISSUER, subject: 'alice' });
  const newJob = async (key: string, articleIds = ['a-1']) =>
    (await service.create(key, { articleIds, format: 'text' })).body.id as string;
  const run = (jobId: string, ports: Partial<RunPorts> = {}) =>
    runJobHandler({ ...worker.ports, ...ports }, settings, { log: testLog, signals })(
      { owner, jobId },
      lambdaContext(() => 900_000),
    );
  await service.call('PUT /v1/articles/{articleId}', {
    path: { articleId: 'a-1' },
    headers: { 'content-type': 'application/json' },
    body: { title: 'One', markdown: 'Text.' },
  });

  const fine = await newJob('fine');
  nowMs += 5_000;
  await play('a run', () => run(fine));
  const missing = await newJob('missing', ['absent']);
  await play('a failed job', () => run(missing));
  const twice = await newJob('twice');
  const broken = () => {
    throw new Error('no thread');
  };
  await play('a run that broke', () => run(twice, { openRenderer: broken }).catch(() => undefined));
  nowMs += 1_000;
  await play('a takeover', () => run(twice));
  const gone = await newJob('gone');
  await play('a stale run', () =>
    run(gone, {
      files: {
        ...worker.ports.files,
        putFile: async () => {
          const Key = { owner: { S: owner }, jobId: { S: gone } };
          await database.client.send(new DeleteItemCommand({ TableName: 'ExportJobs', Key }));
        },
      },
    }),
  );

  const { dynamoDb, tables } = wire({
    environment: serviceEnvironment(database),
    connection: connectionOf(database),
    log: testLog,
    signals,
  });
  const parts = { log: testLog, signals };
  const sweep = () =>
    sweepJobsHandler(
      createSweepStore(dynamoDb, tables),
      async () => undefined,
      { nowMs: () => nowMs, jobsMax: 200, putOffMs: 120_000, storeTimeoutMs: 2_000 },
      parts,
    )();
  // The jobs of the requests above wait since then; the youngest of them is 31 h old.
  await play('a first sweep', sweep);
  nowMs += 121_000;
  await play('a second sweep', sweep);

  const row = {
    owner,
    notificationId: 'n',
    jobId: 'n',
    dueShard: '2',
    dueAtMs: nowMs - 20 * 60_000,
  };
  await database.client.send(
    new PutItemCommand({ TableName: 'Notifications', Item: marshall(row) }),
  );
  let looks = 0;
  const backlog = () =>
    measureBacklogHandler(
      {
        ...createBacklogStore(dynamoDb, tables),
        // Segments of a small table are mostly empty: the whole of it stands for one of them.
        samplePurgeTimes: (_random, options) =>
          createBacklogStore(dynamoDb, tables).samplePurgeTimes(looks++ / 1_000, options),
      },
      { nowMs: () => nowMs, random: Math.random, storeTimeoutMs: 2_000 },
      parts,
    )();
  nowMs += 48 * HOUR_MS;
  await play('the backlog', async () => {
    while (looks < 1_000) await backlog();
  });
  service.close();
  worker.close();
  dynamoDb.destroy();
  wiring.dynamoDb.destroy();
}, 180_000);

describe('a create says', () => {
  it.each([
    ['created', 'AttemptCreated'],
    ['batch taken', 'AttemptBatchTaken'],
    ['replayed after 6 h', 'AttemptReplayed'],
    ['reused', 'AttemptReused'],
    ['invalid', 'AttemptInvalid'],
    ['in future', 'AttemptInFuture'],
    ['abandoned', 'AttemptAbandoned'],
    ['deadline passed', 'AttemptDeadlinePassed'],
    ['clock', 'AttemptClockUntrusted'],
    ['unknown', 'AttemptUnknown'],
    ['unavailable', 'AttemptStoreUnavailable'],
    ['recovered', 'AttemptCreated'],
    ['after a conflict', 'AttemptCreated'],
    ['late', 'AttemptExpired'],
  ])('%s: %s once, and no other outcome', (name, metric) => {
    const outcomes = played(name).data.filter(
      (datum) => datum.name.startsWith('Attempt') && datum.name !== 'AttemptRecovered',
    );

    expect(outcomes.map(({ name, values }) => [name, values])).toEqual([[metric, [1]]]);
  });

  it('how old its key was when it was replayed, in milliseconds and as a share of the window', () => {
    expect(played('replayed after 6 h').of('ReplayAge')).toEqual([6 * HOUR_MS]);
    expect(played('replayed after 6 h').of('ReplayAgeShare')).toEqual([25]);
  });

  it('that it came too late', () => {
    expect(played('late').of('LateArrivalRefused')).toEqual([1]);
    expect(played('replayed after 6 h').of('LateArrivalRefused')).toEqual([]);
  });

  it('how many writes it sent, and what the store did with them', () => {
    expect(played('created').of('CreateTries')).toEqual([1]);
    expect(played('created').of('StoreLatency')).toHaveLength(1);
    expect(played('created').of('StoreLatency')[0]).toBeGreaterThan(0);
    expect(played('unknown').of('CreateTries')).toEqual([2]);
    expect(played('unknown').of('StoreUnknown')).toEqual([1, 1]);
    expect(played('unavailable').of('StoreThrottle')).toEqual([1, 1]);
    expect(played('after a conflict').of('StoreConflict')).toEqual([1]);
    expect(played('after a conflict').of('CreateTries')).toEqual([2]);
  });

  it('that its own answer had been lost', () => {
    expect(played('recovered').of('AttemptRecovered')).toEqual([1]);
    expect(played('created').of('AttemptRecovered')).toEqual([]);
  });
});

describe('a run says', () => {
  it('how long its job was queued and running, and in how many runs it ended', () => {
    expect(played('a run').of('JobQueuedTime')).toEqual([5_000]);
    expect(played('a run').of('JobRunningTime')).toEqual([0]);
    expect(played('a run').of('JobRuns')).toEqual([1]);
    expect(played('a run').of('LeaseTakeover')).toEqual([]);
  });

  it('that its job failed', () => {
    expect(played('a failed job').of('JobFailed')).toEqual([1]);
    expect(played('a run').of('JobFailed')).toEqual([]);
  });

  it('that it took over from another', () => {
    expect(played('a takeover').of('LeaseTakeover')).toEqual([1]);
    expect(played('a takeover').of('JobRuns')).toEqual([2]);
    expect(played('a run that broke').data).toEqual([]);
  });

  it('that it was overtaken', () => {
    expect(played('a stale run').of('RunStale')).toEqual([1]);
    expect(played('a stale run').of('JobRuns')).toEqual([]);
  });
});

describe('what waits', () => {
  it('is told by each sweep; putting a job off does not make it younger', () => {
    const [first] = played('a first sweep').of('OldestDueJob');
    const [second] = played('a second sweep').of('OldestDueJob');

    expect(first).toBeGreaterThan(31 * HOUR_MS);
    expect(second).toBe((first ?? 0) + 121_000);
    expect(played('a second sweep').of('SweepOldest')).toEqual([1_000]);
    expect(played('a first sweep').of('SweepDue')[0]).toBeGreaterThan(2);
  });

  it('is told of notifications owed', () => {
    expect(Math.max(...played('the backlog').of('OutboxOldest'))).toBe(48 * HOUR_MS + 20 * 60_000);
  });

  it('is told of records that should have been purged, by the oldest in the samples', () => {
    // Minted at the start, purged R + G later; 79 h and some seconds have passed.
    const overdueMs = Math.max(...played('the backlog').of('PurgeOverdue'));

    expect(overdueMs).toBeGreaterThan((79 - 48) * HOUR_MS);
    expect(overdueMs).toBeLessThan((80 - 48) * HOUR_MS);
  });
});

describe('every line', () => {
  const all = () => [...plays.values()].flatMap(({ data }) => data);

  it('together they carry every metric of the catalogue, each in its unit', () => {
    const emitted = Object.fromEntries(all().map(({ name, unit }) => [name, unit]));
    const known = Object.fromEntries(
      Object.entries(METRICS).map(([name, { unit }]) => [name, unit as string]),
    );

    expect(emitted).toEqual(known);
  });

  it('has the stage as its one dimension: nothing that grows with callers, keys or jobs', () => {
    expect(all().length).toBeGreaterThan(50);
    for (const { namespace, dimensions } of all()) {
      expect(namespace).toBe('export-once');
      expect(dimensions).toEqual({ service: 'export-once-prod' });
    }
  });
});
