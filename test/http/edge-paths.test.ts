// Paths, methods and header lines as a hostile client puts them on the wire, through the whole stack: each
// has its answer, none is a 500 and none writes to a table.

import http from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, emptyDatabase } from '#test/support/dynamodb.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { itemsOf } from '#test/support/table-contents.ts';

type Raw = {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
};

let stack: RunningStack;
let database: Database;
let authorization: string;
beforeAll(async () => {
  database = emptyDatabase();
  const { AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_ENDPOINT = '', ...rest } = database.environment();
  stack = await startStack({ env: { DYNAMODB_ENDPOINT, ...rest } });
  authorization = `Bearer ${await stack.token('hostile')}`;
});
afterAll(() => stack?.stop());

/** Sends the path as it stands, and header lines as they are listed. */
function raw(method: string, path: string, lines: string[] = [], body = ''): Promise<Raw> {
  const { hostname, port } = new URL(stack.url);
  return new Promise((done, fail) => {
    const headers = ['host', `${hostname}:${port}`, 'authorization', authorization, ...lines];
    if (body !== '') headers.push('content-length', `${Buffer.byteLength(body)}`);
    const request = http.request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          text: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      );
    });
    request.once('error', fail);
    request.end(body);
  });
}
const code = ({ text }: Raw) => JSON.parse(text).code;
const written = async () => {
  const tables = ['IdempotencyKeys', 'ExportJobs', 'BusinessKeys', 'Articles', 'Notifications'];
  return (await Promise.all(tables.map((table) => itemsOf(database, table)))).flat();
};

it.each([
  ['GET', '/', 404, 'route-not-found'],
  ['GET', '//v1/export-jobs', 404, 'route-not-found'],
  ['GET', '/v1/export-jobs/', 404, 'route-not-found'],
  ['GET', '/V1/EXPORT-JOBS', 404, 'route-not-found'],
  ['GET', '/v1/../docs', 404, 'route-not-found'],
  ['GET', '/v1/./export-jobs', 404, 'route-not-found'],
  ['GET', '/v1/%65xport-jobs', 404, 'route-not-found'],
  ['GET', '/v1/export-jobs/..', 404, 'job-not-found'],
  ['GET', '/v1/export-jobs/%2e%2e', 404, 'job-not-found'],
  ['GET', '/v1/export-jobs/%00', 404, 'job-not-found'],
  ['GET', '/v1/export-jobs/%F0%9F%92%A9/file', 404, 'job-not-found'],
  ['POST', '/v1/export-jobs/%2Fcancel/cancel', 404, 'job-not-found'],
  ['GET', '/v1/operations/.', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/..', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/%2E%2E', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/%252e', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/a%20b', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/a+b', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/a%2Cb', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/a%2Fabandon', 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/%0d%0aset-cookie:x', 400, 'idempotency-key-invalid'],
  ['GET', `/v1/operations/${'k'.repeat(256)}`, 400, 'idempotency-key-invalid'],
  ['GET', '/v1/operations/%61bsent', 404, 'operation-not-found'],
  ['GET', '/v1/operations//abandon', 404, 'route-not-found'],
  ['POST', '/v1/operations/%2e/abandon', 400, 'idempotency-key-invalid'],
  ['PUT', '/v1/articles/%2e%2e', 400, 'validation-failed'],
  ['GET', '/v1/articles/a%2Fb', 404, 'article-not-found'],
  ['DELETE', '/v1/articles/..', 404, 'article-not-found'],
  ['GET', '/v1/articles?limit=1&limit=2', 400, 'validation-failed'],
  ['GET', '/v1/articles?__proto__=1', 400, 'validation-failed'],
  ['GET', '/v1/export-jobs?status=%E4', 400, 'validation-failed'],
  ['GET', '/docs/..%2F..%2Fpackage.json', 404, 'route-not-found'],
  ['GET', '/docs/%2e%2e', 404, 'route-not-found'],
  ['GET', '/problems/..%2fdocs', 404, 'route-not-found'],
  ['PATCH', '/v1/articles/a', 405, 'method-not-allowed'],
  ['POST', '/v1/articles/a', 405, 'method-not-allowed'],
  ['DELETE', '/v1/export-jobs', 405, 'method-not-allowed'],
  ['PUT', '/v1/export-jobs', 405, 'method-not-allowed'],
  ['TRACE', '/v1/export-jobs', 405, 'method-not-allowed'],
  ['PURGE', '/v1/export-jobs', 405, 'method-not-allowed'],
] as const)('%s %s is %i %s', async (method, path, status, expected) => {
  const answer = await raw(method, path);

  expect(answer.status).toBe(status);
  expect(answer.type).toBe('application/problem+json');
  expect(code(answer)).toBe(expected);
  expect(answer.headers).not.toHaveProperty('set-cookie');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(await written()).toEqual([]);
});

it.each(['/%', '/v1/operations/%E4', '/v1/operations/%ZZ', '/v1/articles/%C0%AF'])(
  'GET %s does not decode: the gateway answers 400, no function runs',
  async (path) => {
    expect((await raw('GET', path)).status).toBe(400);
    expect(await written()).toEqual([]);
  },
);

it.each([
  ['HEAD', '/v1/articles/absent', 404],
  ['HEAD', '/v1/export-jobs', 405],
  ['HEAD', '/docs', 200],
  ['HEAD', '/docs/swagger-ui.js', 200],
  ['HEAD', '/openapi.json', 200],
  ['HEAD', '/v1/capabilities', 200],
  ['HEAD', '/problems/file-gone', 200],
  ['HEAD', '/problems/nothing', 404],
])('%s %s is %i without a body', async (method, path, status) => {
  const answer = await raw(method, path);

  expect([answer.status, answer.text]).toEqual([status, '']);
});

it.each([
  ['/v1/export-jobs', 405, 'POST, GET'],
  ['/v1/operations/a%20b', 405, 'GET'],
  ['/v1/capabilities', 405, 'GET, HEAD'],
  ['/anything/at/all', 404, null],
])(
  'OPTIONS %s is %i and allows %s: without origins there are no browsers',
  async (path, status, allow) => {
    const answer = await fetch(`${stack.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    });

    expect(answer.status).toBe(status);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  },
);

it.each([
  ['the key', ['idempotency-key', 'a', 'Idempotency-Key', 'a'], 400, 'idempotency-key-invalid'],
  [
    'the media type',
    ['idempotency-key', 'a', 'content-type', 'application/json'],
    415,
    'unsupported-media-type',
  ],
  [
    'the timeout',
    ['idempotency-key', 'a', 'x-request-timeout-ms', '9', 'x-request-timeout-ms', '9'],
    400,
    'deadline-invalid',
  ],
])('two header lines of %s are refused', async (_, lines, status, expected) => {
  const body = JSON.stringify({ articleIds: ['a'], format: 'text' });
  const answer = await raw(
    'POST',
    '/v1/export-jobs',
    ['content-type', 'application/json', ...lines],
    body,
  );

  expect([answer.status, code(answer)]).toEqual([status, expected]);
  expect(await written()).toEqual([]);
});

it('a body of another media type arrives as base64 and is refused all the same', async () => {
  const lines = ['content-type', 'application/octet-stream', 'idempotency-key', 'a'];
  const answer = await raw(
    'POST',
    '/v1/export-jobs',
    lines,
    '{"articleIds":["a"],"format":"text"}',
  );

  expect([answer.status, code(answer)]).toEqual([415, 'unsupported-media-type']);
  expect(await written()).toEqual([]);
});
