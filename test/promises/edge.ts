// What is refused at the door, and that everything that knocks gets an answer.

import { expect } from 'vitest';
import { BODY, JSON_TYPE, TEXT } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import type { Answered, Asked } from '#test/support/service.ts';
import { jobsOf } from '#test/support/table-contents.ts';

/** Bytes of a create's body. */
const BODY_BYTES_MAX = 102_400;

export const EDGE: readonly PromiseRow[] = [
  {
    situation: 'a body that is not JSON',
    answer: '400 `invalid-json`; the key stays free',
    async play({ create, proxy }) {
      const cut = await create({ body: '{"articleIds":' });
      const bytes = await create({ body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) });

      for (const { body } of [cut, bytes]) expect(body.executed).toBe('no');
      expect(proxy.count()).toBe(0);
      return [cut, bytes];
    },
  },
  {
    situation: 'a body over its limit',
    answer: '413 `body-too-large`; nothing is written',
    async play({ create, key, jobsUnder }) {
      const padded = JSON.stringify(BODY).padEnd(BODY_BYTES_MAX);

      const over = await create({ body: `${padded} ` });
      expect(await jobsUnder(key)).toEqual([]);
      const full = await create({ body: padded });

      expect(full.status).toBe(202);
      return [over];
    },
  },
  {
    situation: 'another media type, or any `Content-Encoding`',
    answer: '415 `unsupported-media-type`; nothing is written',
    async play({ create, key, jobsUnder }) {
      const text = await create({ headers: { 'content-type': 'text/plain' } });
      const packed = await create({ headers: { 'content-encoding': 'gzip' } });

      expect(await jobsUnder(key)).toEqual([]);
      return [text, packed];
    },
  },
  {
    situation: 'a path that is served, under another method',
    answer: '405 `method-not-allowed` with an `Allow` that is true for the path',
    async play({ call }) {
      const rawPath = '/v1/articles/a-1';
      const refused = await call('$default', { method: 'PATCH', rawPath });

      const allowed = refused.headers.allow?.split(', ') ?? [];
      expect(allowed.toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PUT']);
      return [refused];
    },
  },
  {
    situation: '`HEAD` of a public page, or of an article',
    answer: '200 with the headers of `GET`, without the body',
    async play({ call, key }) {
      const path = { articleId: key };
      await call('PUT /v1/articles/{articleId}', { path, headers: JSON_TYPE, body: TEXT });
      const answers: Answered[] = [];
      for (const route of ['/v1/articles/{articleId}', '/openapi.json', '/docs']) {
        const asked = { path, headers: { 'x-request-id': key } };
        const get = await call(`GET ${route}`, asked);
        const head = await call(`HEAD ${route}`, asked);
        expect(head.headers).toEqual(get.headers);
        expect([get.text === '', head.text]).toEqual([false, '']);
        answers.push(head);
      }
      return answers;
    },
  },
  {
    situation: 'the API is served below a base path',
    answer: '202; `Location` and links have the base path, which is never read from the request',
    async play({ create, serviceWith }) {
      const below = await serviceWith({ environment: { BASE_PATH: '/exports' } });

      const made = await create({ headers: { 'x-forwarded-prefix': '/elsewhere' } }, below);

      expect(made.headers.location).toBe(`/exports/v1/export-jobs/${made.body.id}`);
      expect(made.body.links.self).toBe(made.headers.location);
      return [made];
    },
  },
  {
    situation: 'no verified caller',
    answer: "the gateway's 401; behind the gateway 401 `unauthenticated`",
    async play({ create, key, jobsUnder, stack }) {
      const { stack: running, database } = await stack();
      const before = (await jobsOf(database)).length;
      const outside = await fetch(`${running.url}/v1/export-jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(BODY),
      });

      const behind = await create({ subject: '' });

      expect((await jobsOf(database)).length).toBe(before);
      expect(await jobsUnder(key)).toEqual([]);
      return [{ status: outside.status }, behind];
    },
  },
  {
    situation: 'whatever a caller sends',
    answer: 'an answer of the contract, never `internal-error`',
    async play({ call }) {
      const { paths } = (await call('GET /openapi.json')).body;
      const answers: Answered[] = [];
      for (const [path, operations] of Object.entries<object>(paths)) {
        for (const method of Object.keys(operations)) {
          const route = `${method.toUpperCase()} ${path}`;
          for (const odd of ODD) answers.push(await call(route, odd));
        }
      }

      expect(answers.length).toBeGreaterThan(100);
      expect(answers.filter(({ status }) => status === 500)).toEqual([]);
      expect(answers.filter(({ body }) => body?.code === 'internal-error')).toEqual([]);
      return [];
    },
  },
];

const KEYED = { 'content-type': 'application/json', 'idempotency-key': 'odd' };

/** Requests that nobody should send. `test/http/fuzz.test.ts` draws many more at random. */
const ODD: readonly Asked[] = [
  {},
  { path: { jobId: '..', articleId: '\u0000', key: 'a b', code: '__proto__' } },
  { headers: KEYED, body: 'null' },
  { headers: KEYED, body: '[[[[' },
  { headers: KEYED, body: '{"__proto__":{"format":"text"}}' },
  { headers: KEYED, body: Buffer.from([0xff, 0x00]) },
  { headers: { ...KEYED, 'content-type': 'a/b/c;;' }, body: BODY },
  { headers: { prefer: 'wait=', 'if-none-match': '"', 'if-match': ',' } },
  { headers: { accept: ';q=2,,*/', 'x-request-id': 'a\tb', 'x-request-attempt': '1e9' } },
  { headers: { 'x-request-timeout-ms': '-0', 'x-request-deadline': 'Infinity' } },
  { query: { limit: '1e400', cursor: '.', status: '[]', __proto__: 'x' } },
  { version: '1.0' },
];
