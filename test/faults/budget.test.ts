// Time: an attempt whose time is used up writes nothing, and nothing is sent by a process that slept.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wire } from '#handlers/wiring.ts';
import { realWorld } from '#handlers/world.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';
import { serve } from '#http/serve.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import {
  answered,
  gatewayEvent,
  lambdaContext,
  type Service,
  type ServiceOptions,
  serviceEnvironment,
  startService,
} from '#test/support/service.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { blackhole, canned, dropReply } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { throttled } from '#test/support/wire-replies.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const HOUR_MS = 3_600_000;
const WRITE = { target: 'TransactWriteItems' };
const rfc3339 = (ms: number) => new Date(ms).toISOString();

describe('the budget of an attempt', () => {
  let database: Database;
  let proxy: WireProxy;
  let service: Service | undefined;

  beforeEach(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
  });
  afterEach(async () => {
    service?.close();
    await proxy.close();
  });
  const start = async (options: ServiceOptions = {}): Promise<Service> => {
    service = await startService({ database, endpoint: proxy.endpoint, ...options });
    return service;
  };
  const expectNothingSent = async () => {
    expect(proxy.count()).toBe(0);
    expect(await jobsOf(database)).toEqual([]);
  };

  it('that is spent on entry by a past deadline is 504, and nothing is sent', async () => {
    const headers = { 'x-request-deadline': rfc3339(Date.now() - 1) };

    const answer = await (await start()).create('k', BODY, { headers });

    expect(answer.status).toBe(504);
    expect(answer.body).toMatchObject({
      code: 'deadline-passed',
      executed: 'no',
      retry: 'same-key',
    });
    await expectNothingSent();
  });

  it("that Lambda's time leaves nothing of is 504, and nothing is sent", async () => {
    const answer = await (await start()).create('k', BODY, { remainingMs: () => 500 });

    expect(answer.body).toMatchObject({ code: 'deadline-passed', executed: 'no' });
    await expectNothingSent();
  });

  it('is the smallest of all, so that a far deadline does not lengthen a short patience', async () => {
    proxy.rule(WRITE, blackhole());
    const headers = {
      'x-request-timeout-ms': '400',
      'x-request-deadline': rfc3339(Date.now() + HOUR_MS),
    };

    const answer = await (await start()).create('k', BODY, { headers });

    expect(answer.body).toMatchObject({ code: 'outcome-unknown', executed: 'unknown' });
    // One try, cut to what was left, where eight seconds have room for several.
    expect(proxy.count(WRITE)).toBe(1);
  });

  it('that a deadline ends between two tries is 504 when every try wrote nothing', async () => {
    const rule = proxy.rule(WRITE, canned(throttled()));
    const environment = { STORE_BACKOFF_BASE_MS: '60000', STORE_BACKOFF_CAP_MS: '60000' };
    const headers = { 'x-request-deadline': rfc3339(Date.now() + 500) };

    const answer = await (await start({ environment })).create('k', BODY, { headers });

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(504);
    expect(answer.body).toMatchObject({ code: 'deadline-passed', executed: 'no' });
    expect(await jobsOf(database)).toEqual([]);
  });

  it.each([
    ['x-request-timeout-ms', '0'],
    ['x-request-timeout-ms', '30001'],
    ['x-request-timeout-ms', '1.5'],
    ['x-request-timeout-ms', '100,200'],
    ['x-request-timeout-ms', ''],
    ['x-request-deadline', 'tomorrow'],
    ['x-request-deadline', '2026-01-01'],
    ['x-request-deadline', '2026-01-01T00:00:00'],
    ['x-request-deadline', '2026-13-01T00:00:00Z'],
    ['x-request-deadline', ''],
  ])('that is malformed (%s: %s) is 400, and nothing is sent', async (name, value) => {
    const answer = await (await start()).create('k', BODY, { headers: { [name]: value } });

    expect(answer.body).toMatchObject({ code: 'deadline-invalid', executed: 'no', status: 400 });
    await expectNothingSent();
  });

  it.each(['1', '30000'])('takes a timeout of %s ms', async (value) => {
    const headers = { 'x-request-timeout-ms': value };

    const answer = await (await start()).create('k', BODY, { headers });

    expect(answer.body.code).not.toBe('deadline-invalid');
  });

  it.each(['0', '-1', 'two', '1,2', '99999999'])(
    'does not mind a malformed attempt hint: %s',
    async (value) => {
      const headers = { 'x-request-attempt': value };

      expect((await (await start()).create('k', BODY, { headers })).status).toBe(202);
      expect(proxy.count({ target: 'GetItem' })).toBe(0);
    },
  );

  it('is spent when the process slept for an hour between two tries: nothing more is sent', async () => {
    const rule = proxy.rule(WRITE, canned(throttled()));
    let sleptMs = 0;
    const world = {
      nowMs: () => Date.now() + sleptMs,
      monotonicMs: () => performance.now(),
      sleepMs: async () => {
        sleptMs = HOUR_MS;
      },
    };

    const answer = await (await start({ world })).create('k', BODY);

    expect(rule.fired).toBe(1);
    expect(proxy.count()).toBe(1);
    expect(answer.body).toMatchObject({ code: 'store-unavailable', executed: 'no' });
  });

  it('is spent when the process slept while a request was being signed: it never leaves', async () => {
    let sleptMs = 0;
    const credentials = async () => {
      sleptMs = HOUR_MS;
      return database.connection.credentials;
    };
    const world = { ...realWorld, nowMs: () => Date.now() + sleptMs };
    const {
      edge: parts,
      commits,
      dynamoDb,
    } = wire({
      environment: serviceEnvironment(database),
      world,
      connection: { endpoint: proxy.endpoint, region: 'us-east-1', credentials },
      log: testLog,
      signals: noSignals,
    });
    const event = gatewayEvent(
      'POST /v1/export-jobs',
      { body: BODY, headers: { 'content-type': 'application/json', 'idempotency-key': 'k' } },
      Date.now(),
    );

    const handler = serve(parts, createExportJobRoute(commits, parts));
    const answer = answered(await handler(event, lambdaContext()));
    dynamoDb.destroy();

    expect(answer.body).toMatchObject({ code: 'deadline-passed', executed: 'no' });
    await expectNothingSent();
  });

  it('leaves nothing under way when the handler has answered', async () => {
    proxy.rule(WRITE, blackhole());
    const environment = { CREATE_BUDGET_MS: '600', STORE_TRY_TIMEOUT_MS: '100' };

    const answer = await (await start({ environment })).create('k', BODY);
    const sent = proxy.count();
    await realWorld.sleepMs(300);

    expect(answer.body.code).toBe('outcome-unknown');
    expect(proxy.count()).toBe(sent);
  });

  it('does not cancel anything: a caller that gave up finds its job by the key', async () => {
    const rule = proxy.rule({ ...WRITE, nth: 1 }, dropReply());
    proxy.rule(WRITE, blackhole());
    proxy.rule({ target: 'GetItem', nth: 1 }, blackhole());
    const headers = { 'x-request-timeout-ms': '300' };
    const running = await start();

    const gaveUp = await running.create('k', BODY, { headers });
    proxy.clear();
    const found = await running.call('GET /v1/operations/{key}', { path: { key: 'k' } });

    expect(rule.fired).toBe(1);
    expect(gaveUp.body).toMatchObject({ code: 'outcome-unknown' });
    expect(found.body).toMatchObject({ state: 'committed', expired: false });
    const [job] = await jobsOf(database);
    expect(found.body.job).toEqual({ id: job?.jobId, href: `/v1/export-jobs/${job?.jobId}` });
  });
});

describe('the clock', () => {
  it.each([
    ['60.001 s ahead', 60_001],
    ['60.001 s behind', -60_001],
  ])('of the gateway %s is not believed: 503, no table touched', async (_, aheadMs) => {
    const database = await freshDatabase();
    const proxy = await startWireProxy(database.connection.endpoint);
    const nowMs = Date.now();
    const world = { nowMs: () => nowMs };
    const service = await startService({ database, endpoint: proxy.endpoint, world });

    const answers = await Promise.all([
      service.create('k', BODY, { timeEpoch: nowMs + aheadMs }),
      service.call('GET /v1/operations/{key}', { path: { key: 'k' }, timeEpoch: nowMs + aheadMs }),
      service.call('POST /v1/operations/{key}/abandon', {
        path: { key: 'k' },
        timeEpoch: nowMs + aheadMs,
      }),
    ]);

    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.body.code).toBe('clock-untrusted');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(answers[0]?.body).toMatchObject({ executed: 'no', intent: 'unknown' });
    expect(proxy.count()).toBe(0);
    service.close();
    await proxy.close();
  });

  it('is the later of the two within a minute', async () => {
    const nowMs = Date.now();
    const service = await startService({ world: { nowMs: () => nowMs } });

    const ahead = await service.create('k-1', BODY, { timeEpoch: nowMs + 60_000 });
    const behind = await service.create('k-2', BODY, { timeEpoch: nowMs - 60_000 });
    service.close();

    expect(Date.parse(ahead.body.createdAt)).toBe(nowMs + 60_000);
    expect(Date.parse(behind.body.createdAt)).toBe(nowMs);
  });
});
