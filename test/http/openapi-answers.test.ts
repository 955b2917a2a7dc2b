// Every status and every code that the document names for a route is really answered, and every answer is
// as the document says: made by the real pipeline and the real store, with faults on the wire.

import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROUTES, type RouteEntry, routeKeysOf } from '#contract/routes.ts';
import { type OpenApiJson, openApiValidator, operationsOf } from '#test/http/openapi-validator.ts';
import { type Asked, type Service, startService } from '#test/support/service.ts';
import { canned, dropReply } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { internalServerError, throttled } from '#test/support/wire-replies.ts';
import { startWorker } from '#test/support/worker-bench.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const TEXT = { title: 'A title', markdown: '# Text' };
const JSON_TYPE = { 'content-type': 'application/json' };
const HOUR_MS = 3_600_000;
/** Few tries, close together: faults cost little, and a busy machine still has time to answer. */
const QUICK = {
  STORE_TRIES_MAX: '2',
  STORE_BACKOFF_BASE_MS: '1',
  STORE_BACKOFF_CAP_MS: '2',
};
/** No request can make these functions fail: they read no store and no clock. */
const NEVER_SEEN =
  /^(GET|HEAD) (\/v1\/capabilities|\/openapi\.json|\/docs|\/problems\/\{code\}) 500/;

let service: Service;
let proxy: WireProxy;
let broken: Service;
let fileGone: Service;
let faultsOf: ReturnType<typeof openApiValidator>;
let document: OpenApiJson;
const seen = new Set<string>();
const jobs = { queued: '', cancelled: '', succeeded: '' };

beforeAll(async () => {
  const { database, ...first } = await startService();
  first.close();
  proxy = await startWireProxy(database.connection.endpoint);
  const common = { database, endpoint: proxy.endpoint, environment: QUICK };
  service = await startService(common);
  fileGone = await startService({
    ...common,
    files: { fileExists: async () => ({ kind: 'none' }), downloadUrl: async () => '' },
  });
  broken = await startService({
    ...common,
    world: {
      nowMs: () => {
        throw new Error('a bug');
      },
    },
  });
  document = (await service.call('GET /openapi.json')).body;
  faultsOf = openApiValidator(document);
  const create = async (key: string) => (await service.create(key, BODY)).body.id;
  await service.call('PUT /v1/articles/{articleId}', {
    path: { articleId: 'a-1' },
    headers: JSON_TYPE,
    body: TEXT,
  });
  jobs.succeeded = await create('succeeded');
  const worker = startWorker(service);
  await worker.run(jobs.succeeded);
  worker.close();
  jobs.cancelled = await create('cancelled');
  await cancel(jobs.cancelled);
  jobs.queued = await create('queued');
});
afterAll(async () => {
  for (const each of [service, fileGone, broken]) each.close();
  await proxy.close();
});
beforeEach(() => proxy.clear());

const cancel = (jobId: string) =>
  service.call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId } });

/** Asks, holds the answer against the document, and notes that it was seen. */
async function hold(route: string, asked: Asked, expected: string, by = service): Promise<void> {
  const answer = await by.call(route, { timeEpoch: Date.now(), ...asked });
  const { status, text, body } = answer;
  // HEAD has no body to tell a code in.
  const told = route.startsWith('HEAD') ? expected.slice(0, 3) : expected;
  expect(`${status}${body?.code && body.type ? ` ${body.code}` : ''}`).toBe(told);
  expect(faultsOf(route, answer), `${route} ${expected}: ${text}`).toEqual([]);
  seen.add(`${route} ${expected}`);
}

/** A well-formed request of each route that wants a token. */
const CALLS: Readonly<Record<string, () => Asked>> = {
  'POST /v1/export-jobs': () => ({
    headers: { ...JSON_TYPE, 'idempotency-key': v7() },
    body: BODY,
  }),
  'GET /v1/export-jobs': () => ({}),
  'GET /v1/export-jobs/{jobId}': () => ({ path: { jobId: jobs.queued } }),
  'POST /v1/export-jobs/{jobId}/cancel': () => ({ path: { jobId: jobs.queued } }),
  'GET /v1/export-jobs/{jobId}/file': () => ({ path: { jobId: jobs.succeeded } }),
  'GET /v1/operations/{key}': () => ({ path: { key: 'queued' } }),
  'POST /v1/operations/{key}/abandon': () => ({ path: { key: v7() } }),
  'GET /v1/articles': () => ({}),
  'PUT /v1/articles/{articleId}': () => ({
    path: { articleId: v7() },
    headers: JSON_TYPE,
    body: TEXT,
  }),
  'GET /v1/articles/{articleId}': () => ({ path: { articleId: 'a-1' } }),
  'HEAD /v1/articles/{articleId}': () => ({ path: { articleId: 'a-1' } }),
  'DELETE /v1/articles/{articleId}': () => ({ path: { articleId: v7() } }),
};
it('each route for callers has a well-formed request here', () => {
  const entries: readonly RouteEntry[] = Object.values(ROUTES);
  const forCallers = entries.filter(({ access }) => access === 'caller').flatMap(routeKeysOf);

  expect(Object.keys(CALLS).sort()).toEqual(forCallers.sort());
});

const WRITES = Object.keys(CALLS).filter((route) => /^(POST|PUT|DELETE)/.test(route));

describe.each(Object.entries(CALLS))('%s', (route, asked) => {
  const withHeaders = (more: Record<string, string>): Asked => {
    const { headers, ...rest } = asked();
    return { ...rest, headers: { ...headers, ...more } };
  };

  it('answers a caller who is not known, a malformed deadline, a clock that is off and a bug as documented', async () => {
    await hold(route, { ...asked(), subject: '' }, '401 unauthenticated');
    await hold(route, withHeaders({ 'x-request-timeout-ms': 'soon' }), '400 deadline-invalid');
    const timeEpoch = Date.now() + 2 * 60_000;
    await hold(route, { ...asked(), timeEpoch }, '503 clock-untrusted');
    await hold(route, asked(), '500 internal-error', broken);
  });

  it('answers a deadline that is passed as documented, without a request to the store', async () => {
    const past = withHeaders({ 'x-request-deadline': '2026-01-01T00:00:00Z' });
    await hold(route, past, '504 deadline-passed');
    expect(proxy.count()).toBe(0);
  });

  it('answers a store that refuses as documented', async () => {
    proxy.rule({}, canned(throttled()));

    await hold(route, asked(), '503 store-unavailable');
  });
});

it.each(WRITES)('%s says that the outcome is unknown when every answer is lost', async (route) => {
  proxy.rule({ target: 'GetItem' }, canned(internalServerError()));
  proxy.rule({}, dropReply());
  const { headers, ...asked } = CALLS[route]?.() ?? {};
  // A cancel reads the job first: that read must come through.
  if (route.includes('cancel')) {
    proxy.clear();
    proxy.rule({ target: 'UpdateItem' }, canned(internalServerError()));
    proxy.rule({ target: 'TransactWriteItems' }, canned(internalServerError()));
  }

  await hold(route, { ...asked, headers: { ...headers } }, '503 outcome-unknown');
});

it('POST /v1/export-jobs is answered as documented', async () => {
  const route = 'POST /v1/export-jobs';
  const send = (key: string, body: unknown, expected: string, more = {}) =>
    hold(route, { headers: { ...JSON_TYPE, 'idempotency-key': key, ...more }, body }, expected);
  await send('once', BODY, '202');
  await send('once', BODY, '202');
  await hold(route, { headers: JSON_TYPE, body: BODY }, '400 idempotency-key-missing');
  await send('no key', BODY, '400 idempotency-key-invalid');
  const future = v7({ msecs: Date.now() + HOUR_MS });
  await send(future, BODY, '400 idempotency-key-in-future');
  await send('free', '{', '400 invalid-json');
  await send('free', { ...BODY, other: 1 }, '400 validation-failed');
  await send('batch-1', { ...BODY, sourceBatchId: 'b' }, '202');
  await send('batch-2', { ...BODY, sourceBatchId: 'b' }, '409 source-batch-taken');
  await service.call('POST /v1/operations/{key}/abandon', { path: { key: 'gone' } });
  await send('gone', BODY, '409 operation-abandoned');
  const old = v7({ msecs: Date.now() - 25 * HOUR_MS });
  await send(old, BODY, '412 idempotency-key-expired');
  await send('free', 'x'.repeat(102_401), '413 body-too-large');
  await send('free', BODY, '415 unsupported-media-type', { 'content-encoding': 'gzip' });
  await send('once', { ...BODY, format: 'epub' }, '422 idempotency-key-reused');
});

it('the routes of jobs are answered as documented', async () => {
  const [list, one] = ['GET /v1/export-jobs', 'GET /v1/export-jobs/{jobId}'];
  await hold(list, { query: { limit: '2' } }, '200');
  await hold(list, { query: { limit: '0' } }, '400 validation-failed');
  for (const jobId of Object.values(jobs)) await hold(one, { path: { jobId } }, '200');
  await hold(one, { path: { jobId: jobs.succeeded }, headers: { prefer: 'wait=1' } }, '200');
  const { headers } = await service.call(one, { path: { jobId: jobs.queued } });
  const known = { 'if-none-match': headers.etag ?? '' };
  await hold(one, { path: { jobId: jobs.queued }, headers: known }, '304');
  await hold(one, { path: { jobId: v7() } }, '404 job-not-found');

  const cancelling = 'POST /v1/export-jobs/{jobId}/cancel';
  await hold(cancelling, { path: { jobId: jobs.cancelled } }, '200');
  await hold(cancelling, { path: { jobId: jobs.succeeded } }, '409 job-already-finished');
  await hold(cancelling, { path: { jobId: v7() } }, '404 job-not-found');

  const file = 'GET /v1/export-jobs/{jobId}/file';
  const asJson = { accept: 'application/json' };
  await hold(file, { path: { jobId: jobs.succeeded }, headers: asJson }, '200');
  await hold(file, { path: { jobId: jobs.succeeded } }, '303');
  await hold(file, { path: { jobId: v7() } }, '404 job-not-found');
  await hold(file, { path: { jobId: jobs.queued } }, '409 job-not-finished');
  await hold(file, { path: { jobId: jobs.cancelled } }, '409 job-has-no-file');
  await hold(file, { path: { jobId: jobs.succeeded } }, '410 file-gone', fileGone);
});

it('the routes of intents are answered as documented', async () => {
  const [lookUp, abandon] = ['GET /v1/operations/{key}', 'POST /v1/operations/{key}/abandon'];
  await hold(lookUp, { path: { key: 'queued' } }, '200');
  await hold(lookUp, { path: { key: 'a b' } }, '400 idempotency-key-invalid');
  await hold(lookUp, { path: { key: v7() } }, '404 operation-not-found');
  await hold(lookUp, { path: { key: 'opaque-and-absent' } }, '404 operation-not-found');
  for (const route of [lookUp, abandon]) {
    const asked = { path: { key: 'queued' }, query: { operation: 'unheard-of' } };
    await hold(route, asked, '400 validation-failed');
  }
  await hold(abandon, { path: { key: 'never-sent' } }, '200');
  await hold(lookUp, { path: { key: 'never-sent' } }, '200');
  await hold(abandon, { path: { key: 'a b' } }, '400 idempotency-key-invalid');
  await hold(abandon, { path: { key: 'queued' } }, '409 operation-committed');
});

it('the routes of articles are answered as documented', async () => {
  const list = 'GET /v1/articles';
  const [put, get, head, remove] = ['PUT', 'GET', 'HEAD', 'DELETE'].map(
    (method) => `${method} /v1/articles/{articleId}`,
  ) as [string, string, string, string];
  const path = { articleId: 'b-1' };
  const stale = { 'if-match': '"stale"' };
  await hold(list, { query: { limit: '1' } }, '200');
  await hold(list, { query: { cursor: 'forged' } }, '400 validation-failed');
  await hold(put, { path, headers: JSON_TYPE, body: TEXT }, '201');
  await hold(put, { path, headers: JSON_TYPE, body: { ...TEXT, title: 'New' } }, '200');
  await hold(put, { path, headers: JSON_TYPE, body: {} }, '400 validation-failed');
  await hold(put, { path, headers: JSON_TYPE, body: '' }, '400 invalid-json');
  await hold(
    put,
    { path, headers: { ...JSON_TYPE, ...stale }, body: TEXT },
    '412 precondition-failed',
  );
  await hold(put, { path, headers: JSON_TYPE, body: 'x'.repeat(2_000_000) }, '413 body-too-large');
  await hold(put, { path, body: TEXT }, '415 unsupported-media-type');
  const { headers } = await service.call(get, { path });
  const known = { 'if-none-match': headers.etag ?? '' };
  for (const route of [get, head]) {
    await hold(route, { path }, '200');
    await hold(route, { path, headers: known }, '304');
    await hold(route, { path: { articleId: 'absent' } }, '404 article-not-found');
  }
  await hold(remove, { path, headers: { 'if-none-match': '*' } }, '400 validation-failed');
  await hold(remove, { path, headers: stale }, '412 precondition-failed');
  await hold(remove, { path: { articleId: 'a b' } }, '404 article-not-found');
  await hold(remove, { path }, '204');
  await hold(remove, { path }, '204');
});

it('what is public is answered as documented, also for an event of payload format 1.0', async () => {
  for (const path of ['/v1/capabilities', '/openapi.json', '/docs']) {
    await hold(`GET ${path}`, {}, '200');
    await hold(`GET ${path}`, { version: '1.0' }, '404 route-not-found');
    await hold(`HEAD ${path}`, {}, '200');
    await hold(`HEAD ${path}`, { version: '1.0' }, '404');
  }
  await hold('HEAD /problems/{code}', { path: { code: 'file-gone' } }, '200');
  await hold('HEAD /problems/{code}', { path: { code: 'no-such-code' } }, '404');
  const explain = 'GET /problems/{code}';
  await hold(explain, { path: { code: 'file-gone' } }, '200');
  await hold(
    explain,
    { path: { code: 'file-gone' }, headers: { accept: 'application/json' } },
    '200',
  );
  await hold(explain, { path: { code: 'no-such-code' } }, '404 route-not-found');
});

it('nothing that the document names was left out', () => {
  const named = operationsOf(document).flatMap(({ route, operation }) =>
    Object.entries<OpenApiJson>(operation.responses).flatMap(([status, { content }]) => {
      const codes = content?.['application/problem+json']?.schema.allOf[1].properties.code.enum;
      return (codes ?? ['']).map((code: string) => `${route} ${status} ${code}`.trim());
    }),
  );
  const seenOf = (entry: string) =>
    // HEAD has no bodies to name codes in.
    entry.startsWith('HEAD') ? [...seen].some((one) => one.startsWith(entry)) : seen.has(entry);

  const unseen = named.filter((entry) => !seenOf(entry) && !NEVER_SEEN.test(entry));
  expect(unseen).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
});
