// Bodies that nobody should send: each has its answer, none a 500, and what is refused is never written.

import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Service, startService } from '#test/support/service.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const CREATE = 'POST /v1/export-jobs';
const PUT = 'PUT /v1/articles/{articleId}';
const BODY = { articleIds: ['a-1'], format: 'text' };
const TEXT = JSON.stringify(BODY);
const CREATE_BYTES_MAX = 102_400;
const WRITES = new Set(['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem']);

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

const writes = () => proxy.requests.filter(({ target }) => WRITES.has(target)).length;
const create = (body: unknown, headers: Record<string, string> = {}, key = v7()) =>
  service.call(CREATE, {
    body,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
  });
const put = (body: unknown, headers: Record<string, string> = {}) =>
  service.call(PUT, {
    path: { articleId: 'a-1' },
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('a body that is no JSON is 400 invalid-json, before any table is touched', () => {
  it.each([
    ['empty', ''],
    ['white space', ' \n\t'],
    ['cut short', TEXT.slice(0, -1)],
    ['followed by something', `${TEXT}x`],
    ['two values', `${TEXT}${TEXT}`],
    ['JavaScript', "{articleIds: ['a']}"],
    ['a trailing comma', '{"articleIds":["a"],}'],
    ['not a number', '{"articleIds":NaN}'],
    ['a bare control character', '{"format":"te\u0001xt"}'],
    ['NUL', '\0'],
    ['two byte order marks', `\uFEFF\uFEFF${TEXT}`],
    ['UTF-16', Buffer.from(TEXT, 'utf16le')],
    ['UTF-8 cut short', Buffer.concat([utf8('"'), Buffer.from([0xe5, 0xad])])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['bytes of anything', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['compressed', gzipSync(TEXT)],
    ['XML', '<x/>'],
    ['a form', 'articleIds=a&format=text'],
  ])('%s', async (_, body) => {
    const [created, stored] = [await create(body), await put(body)];

    for (const answer of [created, stored]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-json' } });
    }
    expect(created.body).toMatchObject({ executed: 'no', retry: 'same-key' });
    expect(proxy.count()).toBe(0);
  });

  it('no body at all', async () => {
    const { status, body } = await service.call(CREATE, {
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
    });

    expect([status, body.code]).toEqual([400, 'invalid-json']);
  });
});

describe('JSON that is not what was asked is 400 validation-failed, and nothing is written', () => {
  const member = (name: string, value = '1') =>
    `{"articleIds":["a"],"format":"text",${JSON.stringify(name)}:${value}}`;
  it.each([
    ['null', 'null', ''],
    ['true', 'true', ''],
    ['a number', '1', ''],
    ['text', '"x"', ''],
    ['a list', '[]', ''],
    ['an empty object', '{}', '/articleIds'],
    ['__proto__ as a member', member('__proto__', '{"format":"epub"}'), '/__proto__'],
    ['constructor as a member', member('constructor'), '/constructor'],
    ['hasOwnProperty as a member', member('hasOwnProperty'), '/hasOwnProperty'],
    ['toString as a member', member('toString'), '/toString'],
    ['a member without a name', member(''), '/'],
    ['a member with a slash and a tilde', member('a/b~c'), '/a~1b~0c'],
    ['__proto__ in place of everything', '{"__proto__":{"articleIds":["a"],"format":"text"}}', ''],
    ['a format of Object.prototype', '{"articleIds":["a"],"format":"constructor"}', '/format'],
    ['a number past all bounds', '{"articleIds":["a"],"format":1e400}', ''],
    ['a lone surrogate in the title', member('title', '"\\ud800"'), ''],
    ['a lone surrogate as a member', '{"articleIds":["a"],"format":"text","\\udfff":1}', ''],
    ['an ID that is null', '{"articleIds":[null],"format":"text"}', '/articleIds/0'],
    ['IDs in an object', '{"articleIds":{"0":"a","length":1},"format":"text"}', '/articleIds'],
    ['lists 20,000 deep', nested(20_000), ''],
    ['lists 50,000 deep in a member', member('deep', nested(50_000)), ''],
    ['objects 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, ''],
    ['10,000 members', `{${Array.from({ length: 10_000 }, (_, n) => `"${n}":1`).join(',')}}`, ''],
  ])('%s', async (_, text, pointer) => {
    const created = await create(text);
    const stored = await put(text);

    for (const { status, body } of [created, stored]) {
      expect([status, body.code]).toEqual([400, 'validation-failed']);
      expect(body.errors.length).toBeGreaterThan(0);
      expect(body.errors.length).toBeLessThanOrEqual(20);
    }
    const pointers = created.body.errors.map((error: { pointer: string }) => error.pointer);
    if (pointer !== '') expect(pointers).toContain(pointer);
    expect(created.text.length).toBeLessThan(4_000);
    expect(writes()).toBe(0);
  });
});

describe('a body is taken', () => {
  it.each([
    ['as base64', utf8(TEXT)],
    ['with one byte order mark', `\uFEFF${TEXT}`],
    ['with a byte order mark in base64', utf8(`\uFEFF${TEXT}`)],
    ['with white space around', `\r\n\t ${TEXT}\n`],
    ['in escapes', TEXT.replaceAll('a', '\\u0061')],
    ['with a member twice: the last one counts', `{"format":"epub",${TEXT.slice(1)}`],
  ])('%s, and is the same request', async (_, body) => {
    const key = v7();
    const plain = await create(TEXT, {}, key);
    const other = await create(body, {}, key);

    expect(plain.status).toBe(202);
    expect(other.text).toBe(plain.text);
  });

  it('of 100 KB, and refused when it is one byte more, in text and in base64', async () => {
    const full = TEXT.padEnd(CREATE_BYTES_MAX);
    const taken = [await create(full), await create(utf8(full))];
    const before = proxy.count();
    const refused = [
      await create(`${full} `),
      await create(utf8(`${full} `)),
      // Fewer characters than bytes.
      await create(`${TEXT.slice(0, -1)},"title":"${'字'.repeat(34_200)}"}`),
      await create('x'.repeat(6_000_000)),
    ];

    expect(taken.map(({ status }) => status)).toEqual([202, 202]);
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 413,
        body: { code: 'body-too-large', executed: 'no', retry: 'same-key' },
      });
    }
    expect(proxy.count()).toBe(before);
  });
});

describe('the media type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    '  application/json ; charset=utf-8  ',
  ])('%j is taken', async (type) => {
    expect((await create(TEXT, { 'content-type': type })).status).toBe(202);
  });

  it.each([
    ['none', { 'content-type': '' }],
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another kind of JSON', { 'content-type': 'application/merge-patch+json' }],
    ['a longer name', { 'content-type': 'application/jsonx' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['two header lines', { 'content-type': 'application/json,application/json' }],
    ['gzip', { 'content-encoding': 'gzip' }],
    ['identity', { 'content-encoding': 'identity' }],
    ['an empty encoding', { 'content-encoding': '' }],
  ] as const)('%s is 415, and no table is touched', async (_, headers) => {
    for (const answer of [await create(TEXT, headers), await put(TEXT, headers)]) {
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported-media-type' } });
    }
    expect(proxy.count()).toBe(0);
  });
});
