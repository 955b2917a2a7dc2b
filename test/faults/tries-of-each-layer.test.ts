// How often each layer tries, counted where its calls arrive: every layer is the real one, and what is below
// it refuses. docs/operations/tries.md tells the numbers; each test holds one row of it.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema } from '#handlers/config.ts';
import { asyncInvocations } from '#local/lambda/async-invocations.ts';
import { problemAnswer } from '#test/client/wire-answers.ts';
import {
  createByEvent,
  createWith,
  definitionOf,
  deliverNewJob,
  gatewayTo,
  handOverJobs,
  hastyClient,
  putFile,
  SERVICE_FILE,
  sweepOfOneJob,
} from '#test/faults/layers-under-test.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type RefusingServer, startRefusingServer } from '#test/support/refusing-server.ts';
import { type Service, type ServiceOptions, startService } from '#test/support/service.ts';
import { simulatedFiles } from '#test/support/simulated/files.ts';
import { canned } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { throttled } from '#test/support/wire-replies.ts';
import { startWorker } from '#test/support/worker-bench.ts';

const DOC = new URL('../../docs/operations/tries.md', import.meta.url);
const BODY = { articleIds: ['a-1'], format: 'text' };
const WRITE = { target: 'TransactWriteItems' };
const READ = { target: 'GetItem' };
const DEFAULTS = environmentSchema.shape;
const SPENT = { STORE_RETRY_TOKENS_MAX: '4' };
const FULL = { STORE_RETRY_TOKENS_MAX: `${DEFAULTS.STORE_RETRY_TOKENS_MAX.parse(undefined)}` };

/** The second cell of the row that begins so: how often, as operators read it. */
function told(row: string): number {
  const cells = readFileSync(DOC, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((each) => each[1] === row);
  if (!cells) throw new Error(`docs/operations/tries.md has no row "${row}"`);
  return Number(cells[2]);
}

let database: Database;
let proxy: WireProxy;
const closing: (() => Promise<void> | void)[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  proxy = await startWireProxy(database.connection.endpoint);
  closing.push(proxy.close);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: ServiceOptions = {}): Promise<Service> {
  const world = { sleepMs: async () => undefined };
  const service = await startService({ database, endpoint: proxy.endpoint, world, ...options });
  closing.push(service.close);
  return service;
}
async function refusing(...given: Parameters<typeof startRefusingServer>): Promise<RefusingServer> {
  const server = await startRefusingServer(...given);
  closing.push(server.close);
  return server;
}
const unavailable = () => problemAnswer('store-unavailable', 503, {}, { 'retry-after': '1' });
const unknown = () => problemAnswer('outcome-unknown', 503, {}, { 'retry-after': '1' });

describe('the client', () => {
  it('sends one create so often while it is answered 503', async () => {
    const server = await refusing(unavailable);

    const outcome = await createWith(hastyClient(server.url, 't'));

    expect(outcome).toBe('not-executed');
    expect(server.requests).toEqual(Array(told('client, one create')).fill('POST /v1/export-jobs'));
  });

  it('looks up once more when it does not know', async () => {
    const server = await refusing(unknown);

    await createWith(hastyClient(server.url, 't'));

    expect(server.requests.filter((each) => each.startsWith('GET'))).toHaveLength(
      told('client, last look-up'),
    );
    expect(server.requests).toHaveLength(told('client, one create') + 1);
  });

  it('sends a create so often when its retry budget is spent', async () => {
    const server = await refusing(unavailable);
    const client = hastyClient(server.url, 't');
    for (let create = 0; create < 3; create += 1) await createWith(client);
    const before = server.requests.length;

    await createWith(client);

    expect(server.requests.length - before).toBe(told('client, retry budget spent'));
  });
});

describe('the gateway', () => {
  it('invokes the function so often for one request that fails', async () => {
    let invocations = 0;
    const { gateway, token } = await gatewayTo(async () => {
      invocations += 1;
      return { ok: false, error: { errorType: 'Error', errorMessage: 'x' } };
    });
    closing.push(gateway.close);

    const { status } = await fetch(`${gateway.url}/v1/export-jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'k' },
      body: JSON.stringify(BODY),
    });

    expect(status).toBe(500);
    expect(invocations).toBe(told('gateway, one request'));
  });
});

describe('a function', () => {
  it.each([
    ['function, one write', FULL],
    ['function, one write, retry budget spent', SPENT],
  ])('sends a throttled write so often: %s', async (row, environment) => {
    const throttle = proxy.rule(WRITE, canned(throttled()));
    const service = await start({ environment });

    await service.create('k', BODY);

    expect(throttle.fired).toBe(told(row));
  });

  it.each([
    ['function, one read', FULL],
    ['function, one read, retry budget spent', SPENT],
  ])('asks so often for what cannot be read: %s', async (row, environment) => {
    const throttle = proxy.rule(READ, canned(throttled()));
    let passedMs = 0;
    const startMs = Date.now();
    const world = {
      nowMs: () => startMs + passedMs,
      monotonicMs: () => passedMs,
      random: () => 0.5,
      sleepMs: async (ms: number) => {
        passedMs += ms;
      },
    };
    const service = await start({ environment, world });

    await service.call('GET /v1/operations/{key}', {
      path: { key: 'k' },
      remainingMs: () => 10_000 - passedMs,
    });

    expect(throttle.fired).toBe(told(row));
  });
});

describe('the worker', () => {
  const onLoopback = (service: string, url: string) => {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, url);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  };

  it('delivers a new job so often, and the SDK sends each hand-over so often', async () => {
    const lambda = await refusing(() => ({ status: 503 }));
    onLoopback('LAMBDA', lambda.url);

    const deliveries = await deliverNewJob(handOverJobs(database));

    expect(deliveries).toBe(told('stream, one new job'));
    expect(lambda.requests.length / deliveries).toBe(told('hand-over, by the SDK'));
    expect(lambda.requests.length).toBe(told('one new job, while nothing can be handed over'));
  });

  it('is invoked so often for one hand-over that fails', async () => {
    let invocations = 0;
    const failed = { ok: false, error: { errorType: 'Error', errorMessage: 'x' } } as const;
    const deployed = parse(readFileSync(SERVICE_FILE, 'utf8')).functions.runJob;

    await new Promise<void>((kept) => {
      const letters = { file: '', add: () => kept() };
      const invoke = async () => {
        invocations += 1;
        return failed;
      };
      asyncInvocations(invoke, letters, () => undefined).accept(definitionOf('runJob'), {});
    });

    expect(invocations).toBe(told('run-job, one hand-over'));
    expect(1 + deployed.maximumRetryAttempts).toBe(told('run-job, one hand-over'));
  });

  it('puts a finished file so often', async () => {
    const s3 = await refusing(() => ({ status: 503 }));
    onLoopback('S3', s3.url);

    await expect(putFile()).rejects.toThrow();

    expect(s3.requests).toEqual(Array(told('run, one file')).fill('PUT /exports/k'));
  });

  it('runs a job so often that fails each time', async () => {
    const service = await start();
    const { id } = (await service.create('k', BODY)).body;
    await service.call('PUT /v1/articles/{articleId}', {
      path: { articleId: 'a-1' },
      headers: { 'content-type': 'application/json' },
      body: { title: 'A', markdown: 'a' },
    });
    let runs = 0;
    const putFileFails = async () => {
      runs += 1;
      throw new Error('no S3');
    };
    const worker = startWorker(service, {
      files: { ...simulatedFiles(), putFile: putFileFails },
      environment: { runsMax: DEFAULTS.RUNS_MAX.parse(undefined) },
    });
    closing.push(worker.close);

    let ended: string | undefined;
    while (ended === undefined) {
      ended = await worker.run(id).then(
        ({ kind }) => kind,
        () => undefined,
      );
    }

    expect(ended).toBe('finished');
    expect(runs).toBe(told('runs, one job'));
  });

  it('sweeps a job that is due so often in one sweep, and again when its time has come', async () => {
    const sweep = sweepOfOneJob({
      jobsMax: DEFAULTS.SWEEP_JOBS_MAX.parse(undefined),
      putOffMs: DEFAULTS.SWEEP_PUT_OFF_MS.parse(undefined),
      storeTimeoutMs: DEFAULTS.STORE_TRY_TIMEOUT_MS.parse(undefined),
    });

    const counts = [await sweep(1), await sweep(120_001), await sweep(120_002)];

    const perSweep = told('sweep, one job that is due');
    expect(counts).toEqual([perSweep, 0, perSweep]);
    expect(definitionOf('sweepJobs').scheduleMs).toEqual([60_000]);
  });
});

describe('the layers together', () => {
  it.each([
    ['one create through all layers', FULL],
    ['one create through all layers, retry budget spent', SPENT],
  ])('send the store so many writes: %s', async (row, environment) => {
    const throttle = proxy.rule(WRITE, canned(throttled()));
    const service = await start({ environment });
    let invocations = 0;
    const { gateway, token } = await gatewayTo((event) => {
      invocations += 1;
      return createByEvent(service, event);
    });
    closing.push(gateway.close);

    const outcome = await createWith(hastyClient(gateway.url, token));

    expect(outcome).toBe('not-executed');
    expect(invocations).toBe(told('client, one create'));
    expect(throttle.fired).toBe(told(row));
  });
});
