// Headers, keys and events that nobody should send: each has its answer, none a 500, and none is written.

import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS, ROUTES, routeKeysOf } from '#contract/routes.ts';
import { type Asked, type Service, startService } from '#test/support/service.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const CREATE = 'POST /v1/export-jobs';
const BODY = { articleIds: ['a-1'], format: 'text' };
const TEXT = JSON.stringify(BODY);

let service: Service;
let proxy: WireProxy;
beforeAll(async () => {
  const { database, close } = await startService();
  close();
  proxy = await startWireProxy(database.connection.endpoint);
  service = await startService({ database, endpoint: proxy.endpoint });
});
afterAll(async () => {
  service.close();
  await proxy.close();
});
beforeEach(() => proxy.clear());

const create = (body: unknown, headers: Record<string, string> = {}, key = v7()) =>
  service.call(CREATE, {
    body,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
  });

describe('a header line that came twice, joined by a comma', () => {
  it.each([
    ['idempotency-key', 'a,a', 'idempotency-key-invalid'],
    ['x-request-timeout-ms', '1000,1000', 'deadline-invalid'],
    ['x-request-deadline', '2099-01-01T00:00:00Z,2099-01-01T00:00:00Z', 'deadline-invalid'],
  ])('%s is refused', async (name, value, code) => {
    const answer = await create(TEXT, { [name]: value });

    expect(answer).toMatchObject({ status: 400, body: { code, executed: 'no' } });
    expect(proxy.count()).toBe(0);
  });

  it('x-request-attempt is not heard, x-request-id is replaced by ours', async () => {
    const answer = await create(TEXT, { 'x-request-attempt': '2,2', 'x-request-id': 'a,a' });

    expect(answer.status).toBe(202);
    expect(answer.headers['x-request-id']).toMatch(/^gateway-/);
  });
});

describe('a request ID', () => {
  it.each(['a', 'A-1._z', 'x'.repeat(128)])('%s is echoed', async (id) => {
    const answer = await create(TEXT, { 'x-request-id': id });
    expect(answer.headers['x-request-id']).toBe(id);
  });

  it.each(['', ' ', 'x'.repeat(129), 'a b', 'a\r\nset-cookie: x', 'ä', '"a"', '\u001b[31m'])(
    '%j is replaced',
    async (id) => {
      const answer = await create(TEXT, { 'x-request-id': id });
      expect(answer.headers['x-request-id']).toMatch(/^gateway-[\w-]+$/);
    },
  );
});

describe('a key in a path', () => {
  it.each([
    '',
    '.',
    '..',
    'a b',
    'a,b',
    '"a"',
    "'a'",
    'a/b',
    'a\\b',
    '%2e%2e',
    'a%',
    'a\0b',
    'a\nb',
    'schlüssel',
    '键',
    '\u202e',
    'k'.repeat(256),
  ])('%j is 400, and no table is touched', async (key) => {
    const path = { key };
    const looked = await service.call('GET /v1/operations/{key}', { path });
    const abandoned = await service.call('POST /v1/operations/{key}/abandon', { path });

    for (const answer of [looked, abandoned]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency-key-invalid' } });
    }
    expect(proxy.count()).toBe(0);
  });

  it('of 255 characters is taken', async () => {
    const path = { key: 'k'.repeat(255) };

    expect((await service.call('GET /v1/operations/{key}', { path })).status).toBe(404);
    expect((await service.call('POST /v1/operations/{key}/abandon', { path })).status).toBe(200);
  });
});

describe('a key minted at the end of its 48-bit time, in the year 10889', () => {
  const key = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  const path = { key };

  it('can be abandoned, looked up and searched for; a create is refused', async () => {
    const abandon = 'POST /v1/operations/{key}/abandon';
    const answers = [
      await create(TEXT, {}, key),
      await service.call(abandon, { path }),
      await service.call(abandon, { path }),
      await service.call('GET /v1/operations/{key}', { path }),
      await service.call('GET /v1/export-jobs', { query: { idempotencyKey: key } }),
      await create(TEXT, {}, key),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200, 200, 200, 409]);
    expect(answers[3]?.body).toMatchObject({
      state: 'abandoned',
      expiresAt: '9999-12-31T23:59:59.999Z',
    });
  });
});

describe('an event that is not of payload format 2.0', () => {
  const path = { jobId: v7(), key: 'k', articleId: 'a', asset: 'page.css', code: 'file-gone' };
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
  const asked: Asked = { path, headers, body: TEXT };
  const routes = [...OPERATIONS.flatMap((operation) => routeKeysOf(ROUTES[operation])), '$default'];

  it.each(routes.filter((route) => !route.startsWith('HEAD')))(
    'is refused by %s with one clear message',
    async (route) => {
      for (const version of ['1.0', '', '2', '3.0']) {
        const answer = await service.call(route, { ...asked, version });

        expect(answer).toMatchObject({
          status: 404,
          body: {
            code: 'route-not-found',
            detail: 'This function serves HTTP APIs: set payloadFormatVersion to "2.0".',
          },
        });
      }
      expect(proxy.count()).toBe(0);
    },
  );
});
