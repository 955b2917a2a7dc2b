// Looking at a job, at once or at its next change. Time is the test's: a wait costs no second of it.

import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServiceDefinition } from '#local/stack/service-definition.ts';
import { type Asked, type Service, startService } from '#test/support/service.ts';
import { canned } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { internalServerError } from '#test/support/wire-replies.ts';

const ROUTE = 'GET /v1/export-jobs/{jobId}';
const BODY = { articleIds: ['a'], format: 'text' };

let service: Service;
let proxy: WireProxy;
let startedMs = 0;
let passedMs = 0;
let onSleep: (passedMs: number) => Promise<unknown> | undefined;
let jobId: string;

beforeEach(async () => {
  passedMs = 0;
  onSleep = () => undefined;
  startedMs = Date.now();
  const { database, close } = await startService();
  close();
  proxy = await startWireProxy(database.connection.endpoint);
  service = await startService({
    database,
    endpoint: proxy.endpoint,
    world: {
      nowMs: () => startedMs + passedMs,
      monotonicMs: () => passedMs,
      sleepMs: async (ms) => {
        passedMs += ms;
        await onSleep(passedMs);
      },
    },
  });
  jobId = (await service.create('k', BODY)).body.id;
  proxy.clear();
});
afterEach(async () => {
  service.close();
  await proxy.close();
});

const look = (headers: Asked['headers'] = {}, more: Asked = {}) =>
  service.call(ROUTE, {
    path: { jobId },
    headers,
    remainingMs: () => 25_000 - passedMs,
    ...more,
  });
const cancel = () => service.call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId } });

describe('GET of a job', () => {
  it('answers at once with its ETag, and while unfinished with Retry-After', async () => {
    const answer = await look();

    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toMatch(/^"[\w-]{22}"$/);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.headers).not.toHaveProperty('preference-applied');
    expect(passedMs).toBe(0);
    expect(proxy.requests.map(({ target, body }) => [target, body.ConsistentRead])).toEqual([
      ['GetItem', true],
    ]);
  });

  it('is 304 for whoever has it, and its ETag changes with what is shown', async () => {
    const first = await look();
    const known = await look({ 'if-none-match': first.headers.etag ?? '' });
    const weak = await look({ 'if-none-match': `"x", W/${first.headers.etag}` });
    await cancel();
    const changed = await look({ 'if-none-match': first.headers.etag ?? '' });

    expect([known.status, known.text, weak.status]).toEqual([304, '', 304]);
    expect(known.headers.etag).toBe(first.headers.etag);
    expect(changed).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(changed.headers).not.toHaveProperty('retry-after');
  });

  it.each(['not-an-id', '.', '..', '019a4f5e-8c00-4d3a-9b1c-2f6f1c0e7a11', v7()])(
    'is 404 for %s, the same as for a job of someone else',
    async (other) => {
      const absent = await look({}, { path: { jobId: other } });
      const others = await look({}, { subject: 'bob' });
      const { requestId: _, ...said } = absent.body;
      const { requestId: __, ...saidOfOthers } = others.body;

      expect(absent.status).toBe(404);
      expect(said).toEqual(saidOfOthers);
    },
  );

  it('takes the ID in capitals', async () => {
    const answer = await look({}, { path: { jobId: jobId.toUpperCase() } });

    expect(answer.body.id).toBe(jobId);
  });
});

describe('Prefer: wait', () => {
  it('answers the unchanged job after N seconds, 304 to whoever has it', async () => {
    const { headers } = await look();
    const waited = await look({ prefer: 'wait=7' });
    const afterFirstMs = passedMs;
    const known = await look({ prefer: 'wait=7', 'if-none-match': headers.etag ?? '' });

    expect([waited.status, known.status]).toEqual([200, 304]);
    expect(afterFirstMs).toBe(7_000);
    expect(passedMs).toBe(14_000);
    expect(waited.headers['preference-applied']).toBe('wait=7');
    expect(known.headers['preference-applied']).toBe('wait=7');
  });

  it('answers at the next change', async () => {
    onSleep = async (ms) => (ms === 900 ? cancel() : undefined);
    const answer = await look({ prefer: 'wait=20' });

    expect(answer.body.status).toBe('cancelled');
    expect(passedMs).toBe(900);
  });

  it('answers at once when the job is finished or is not the one that is known', async () => {
    const changed = await look({ prefer: 'wait=20', 'if-none-match': '"older"' });
    await cancel();
    const finished = await look({ prefer: 'wait=20' });
    const known = await look({ prefer: 'wait=20', 'if-none-match': finished.headers.etag ?? '' });

    expect([changed.status, finished.status, known.status]).toEqual([200, 200, 304]);
    expect(finished.headers['preference-applied']).toBe('wait=20');
    expect(passedMs).toBe(0);
  });

  it('is cut to 20 seconds and never outlasts the platform', async () => {
    const cut = await look({ prefer: 'wait=600' });
    const afterFirstMs = passedMs;
    await look({ prefer: 'wait=20' }, { remainingMs: () => 5_000 - (passedMs - afterFirstMs) });

    expect(cut.headers['preference-applied']).toBe('wait=20');
    expect(afterFirstMs).toBe(20_000);
    expect(passedMs - afterFirstMs).toBe(3_000);
  });

  it.each([
    ['wait=5', 5],
    ['wait="5"', 5],
    ['Wait = 5', 5],
    ['respond-async, wait=5; x=1', 5],
    ['wait=1,wait=9', 1],
    ['wait=0', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait', undefined],
    ['wait=', undefined],
    ['wait=1234567', undefined],
    ['', undefined],
  ])('reads %j', async (prefer, waitS) => {
    const answer = await look({ prefer });

    expect(answer.status).toBe(200);
    expect(answer.headers['preference-applied']).toBe(waitS && `wait=${waitS}`);
    expect(passedMs).toBe((waitS ?? 0) * 1_000);
  });

  it("ends before the caller's timeout and deadline do, with the job and no error", async () => {
    const timeout = await look({ prefer: 'wait=20', 'x-request-timeout-ms': '3000' });
    const afterFirstMs = passedMs;
    const deadline = new Date(startedMs + passedMs + 4_000).toISOString();
    const dated = await look({ prefer: 'wait=20', 'x-request-deadline': deadline });

    expect([timeout.status, dated.status]).toEqual([200, 200]);
    expect(afterFirstMs).toBe(2_750);
    expect(passedMs - afterFirstMs).toBe(3_750);
  });

  it('looks three to four times a second, each one read', async () => {
    await look({ prefer: 'wait=3' });

    expect(proxy.count()).toBe(11);
    expect(proxy.count({ target: 'GetItem' })).toBe(11);
  });

  it('answers what it saw last when the store goes away while it waits', async () => {
    proxy.rule({ nth: 3 }, canned(internalServerError()));
    const once = await look({ prefer: 'wait=2' });
    proxy.clear();
    proxy.rule({ nth: [3, 4, 5] }, canned(internalServerError()));
    const thrice = await look({ prefer: 'wait=2' });

    expect(once.status).toBe(200);
    expect(thrice).toMatchObject({ status: 200, body: { status: once.body.status } });
    expect(thrice.headers).toHaveProperty('retry-after');
  });

  it('has a function of its own, whose concurrency creates do not share', () => {
    const { functions } = readServiceDefinition('serverless.yml');
    const own = functions.find(({ key }) => key === 'getExportJob');

    expect(own?.routes.map(({ method, path }) => `${method} ${path}`)).toEqual([ROUTE]);
    expect(own?.timeoutMs).toBe(25_000);
    expect(own?.concurrency).toBe(100);
  });
});
