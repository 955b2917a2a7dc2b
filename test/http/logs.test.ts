// The logs of the functions: one JSON object a line, bounded, with the request ID and the key's hash, and
// never a body, a token or a raw key. Secrets go in everywhere here; the log of the whole stack is read.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, emptyDatabase } from '#test/support/dynamodb.ts';
import { type Caller, callerOf } from '#test/support/http-caller.ts';
import { logFaults, SECRET_MARK } from '#test/support/log-setup.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { functionLines } from '#test/support/test-log.ts';
import { canned, replaceReply } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { awsError, jsonReply } from '#test/support/wire-replies.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the reader of logs', () => {
  it.each([
    ['a secret', `{"message":"${SECRET_MARK}"}`],
    ['a token', '{"authorization":"Bearer eyJhbGciOiJSUzI1NiJ9.e30.x"}'],
    ['text', 'a plain line'],
    ['half an object', '{"message":"request"'],
    ['a value that is no object', '"request"'],
    ['a line without an end', `{"message":"${'x'.repeat(4_000)}"}`],
  ])('finds %s among sound lines', (_, planted) => {
    const sound = '{"message":"request","status":200}';

    expect(logFaults(`${sound}\n${sound}\n`)).toEqual([]);
    expect(logFaults(`${sound}\n${planted}\n${sound}\n`)).toHaveLength(1);
  });
});

describe('one line of the log', () => {
  it('is one bounded JSON object, whatever is put into it', async () => {
    const hostile = '\n{"level":"ERROR"}\u001b[31m\u2028\u2029\0\ud800"\\';
    const script = `
      const { createLog } = await import('#handlers/log.ts');
      const log = createLog();
      const text = ${JSON.stringify(hostile)};
      log.info('request', { text, long: 'x'.repeat(1_000_000), [text]: 1 });
      const sdk = Object.assign(new Error('${SECRET_MARK} ' + text), { $metadata: {} });
      log.error('a request failed', { text }, sdk);
      log.error('a request failed', {}, new Error(text.repeat(10_000)));
      const spoof = Object.assign(new Error('x\\n    at ${SECRET_MARK} (file.ts:1:1)', { cause: sdk }), { issues: [] });
      log.error('a request failed', {}, spoof);
      try { JSON.parse('${SECRET_MARK}'); } catch (error) { log.error('a request failed', {}, error); }
      log.error('a request failed', {}, '${SECRET_MARK}');
      log.error('a request failed', {}, { toString: () => '${SECRET_MARK}' });
    `;
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
    });

    const lines = `${stdout}${stderr}`.trimEnd().split('\n');
    expect(logFaults(lines.join('\n'))).toEqual([]);
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line.length).toBeLessThan(3_000);
  });
});

describe('the log of the whole stack', () => {
  let stack: RunningStack;
  let proxy: WireProxy;
  let database: Database;
  let caller: Caller;
  beforeAll(async () => {
    database = emptyDatabase();
    const { AWS_ENDPOINT_URL_DYNAMODB: upstream = '', ...rest } = database.environment();
    proxy = await startWireProxy(upstream);
    stack = await startStack({
      env: {
        DYNAMODB_ENDPOINT: proxy.endpoint,
        ...rest,
        STORE_TRIES_MAX: '2',
        CREATE_BUDGET_MS: '600',
      },
    });
    caller = await callerOf(stack, `${SECRET_MARK}-subject`);
  });
  afterAll(async () => {
    await stack?.stop();
    await proxy?.close();
  });

  const lines = () => functionLines(stack.functionsLog()).map((line) => JSON.parse(line));
  const faults = () => logFaults(functionLines(stack.functionsLog()).join('\n'));
  /** Secrets wherever a caller can put one. A request ID is logged by contract: it holds none. */
  const everywhere = (requestId: string) => ({
    'x-request-id': requestId,
    'user-agent': SECRET_MARK,
    'x-api-key': SECRET_MARK,
    cookie: `session=${SECRET_MARK}`,
    prefer: `${SECRET_MARK}, wait=1`,
    origin: `https://${SECRET_MARK}.example`,
    'x-request-attempt': SECRET_MARK,
  });
  const calls = (secret: string): readonly [string, string, Record<string, string>, unknown?][] => {
    const path = `${SECRET_MARK}-${secret}`;
    const create = {
      articleIds: [path],
      format: 'text',
      title: SECRET_MARK,
      sourceBatchId: path,
    };
    return [
      ['PUT', `/v1/articles/${path}`, {}, { title: SECRET_MARK, markdown: `# ${SECRET_MARK}` }],
      [
        'PUT',
        `/v1/articles/${path}`,
        { 'if-match': `"${SECRET_MARK}"` },
        { title: 'a', markdown: 'b' },
      ],
      ['PUT', `/v1/articles/${path}`, {}, { [SECRET_MARK]: SECRET_MARK }],
      ['PUT', `/v1/articles/${path}%20x`, {}, { title: 'a', markdown: 'b' }],
      ['GET', `/v1/articles/${path}`, { 'if-none-match': `"${SECRET_MARK}"` }],
      ['HEAD', `/v1/articles/${path}`, {}],
      ['GET', `/v1/articles?cursor=${SECRET_MARK}`, {}],
      ['GET', `/v1/articles?${SECRET_MARK}=${SECRET_MARK}`, {}],
      ['POST', '/v1/export-jobs', { 'idempotency-key': path }, create],
      ['POST', '/v1/export-jobs', { 'idempotency-key': path }, create],
      ['POST', '/v1/export-jobs', { 'idempotency-key': path }, { ...create, title: 'other' }],
      ['POST', '/v1/export-jobs', { 'idempotency-key': `${path}-2` }, create],
      ['POST', '/v1/export-jobs', { 'idempotency-key': `${path} bad` }, create],
      ['POST', '/v1/export-jobs', { 'idempotency-key': `${path}-3` }, SECRET_MARK],
      ['POST', '/v1/export-jobs', { 'content-type': SECRET_MARK, 'idempotency-key': path }, create],
      [
        'POST',
        '/v1/export-jobs',
        { 'x-request-deadline': SECRET_MARK, 'idempotency-key': path },
        create,
      ],
      ['GET', `/v1/export-jobs?idempotencyKey=${path}`, {}],
      ['GET', `/v1/export-jobs?sourceBatchId=${path}`, {}],
      ['GET', `/v1/export-jobs?status=${SECRET_MARK}`, {}],
      ['GET', `/v1/export-jobs/${SECRET_MARK}`, {}],
      ['GET', `/v1/export-jobs/${v7()}?token=${SECRET_MARK}`, {}],
      ['POST', `/v1/export-jobs/${SECRET_MARK}/cancel`, {}, { reason: SECRET_MARK }],
      ['GET', `/v1/export-jobs/${v7()}/file`, { accept: SECRET_MARK }],
      ['GET', `/v1/operations/${path}`, {}],
      ['GET', `/v1/operations/${path}%2c`, {}],
      ['POST', `/v1/operations/${path}/abandon`, {}, SECRET_MARK],
      ['POST', `/v1/operations/${path}-4/abandon`, {}],
      ['DELETE', `/v1/articles/${path}-5`, {}],
      ['PATCH', `/${SECRET_MARK}/${SECRET_MARK}?${SECRET_MARK}`, {}],
      ['OPTIONS', `/${SECRET_MARK}`, {}],
      ['GET', `/problems/${SECRET_MARK}`, {}],
      ['GET', `/docs/${SECRET_MARK}`, {}],
    ];
  };
  async function callAll(secret: string) {
    const answers = [];
    for (const [index, [method, path, headers, body]] of calls(secret).entries()) {
      answers.push(
        await caller.send(method, path, {
          headers: {
            ...everywhere(`${secret}-${index}`),
            'content-type': 'application/json',
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
    }
    return answers;
  }

  it('has a line for every request, with its ID, route and status, and no secret', async () => {
    const answers = await callAll('plain');

    expect(faults()).toEqual([]);
    const requests = new Map(
      lines().flatMap((line) => (line.message === 'request' ? [[line.requestId, line]] : [])),
    );
    for (const [index, { status }] of answers.entries()) {
      expect(requests.get(`plain-${index}`)).toMatchObject({
        level: 'INFO',
        route: expect.any(String),
        status,
        tookMs: expect.any(Number),
      });
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200, 201, 202, 204, 400, 404, 409, 412, 415, 422]),
    );
  });

  it("names the key by a hash: the same for all attempts of one intent, another for another caller's", async () => {
    const key = `${SECRET_MARK}-hashed`;
    const body = { articleIds: ['a'], format: 'text' };
    const bob = await callerOf(stack, 'bob');
    await caller.create(key, body, { 'x-request-id': 'hash-1' });
    await caller.create(key, body, { 'x-request-id': 'hash-2' });
    await caller.send('GET', `/v1/operations/${key}`, { headers: { 'x-request-id': 'hash-3' } });
    await bob.create(key, body, { 'x-request-id': 'hash-4' });

    const hashOf = (id: string) => lines().find(({ requestId }) => requestId === id)?.keyHash;
    expect(hashOf('hash-1')).toMatch(/^[\w-]{8,}$/);
    expect([hashOf('hash-2'), hashOf('hash-3')]).toEqual(Array(2).fill(hashOf('hash-1')));
    expect(hashOf('hash-4')).not.toBe(hashOf('hash-1'));
    expect(faults()).toEqual([]);
  });

  it('keeps secrets when the job of secret articles runs to its end, or fails', async () => {
    await caller.putArticle(`${SECRET_MARK}-ends`, `# ${SECRET_MARK}`);
    const good = await caller.create(`${SECRET_MARK}-good`, {
      articleIds: [`${SECRET_MARK}-ends`],
      format: 'html',
      title: SECRET_MARK,
    });
    const bad = await caller.create(`${SECRET_MARK}-bad`, {
      articleIds: [`${SECRET_MARK}-absent`],
      format: 'epub',
    });

    expect((await caller.finished(good.body.id)).status).toBe('succeeded');
    expect((await caller.finished(bad.body.id)).status).toBe('failed');
    expect(faults()).toEqual([]);
    expect(stack.output()).not.toContain(SECRET_MARK);
  });

  it('keeps secrets when an item in a table is corrupt: 500, and the place is named', async () => {
    const articleId = `${SECRET_MARK}-corrupt`;
    const key = `${SECRET_MARK}-corrupt`;
    await caller.putArticle(articleId);
    await caller.create(key, { articleIds: ['a'], format: 'text' });
    const [article] = (await itemsOf(database, 'Articles')).filter(
      (item) => item.articleId === articleId,
    );
    const records = await itemsOf(database, 'IdempotencyKeys');
    const newest = records.toSorted((a, b) => b.committedAtMs - a.committedAtMs)[0];
    await spoil('Articles', { owner: article?.owner, articleId }, 'bytes', SECRET_MARK);
    await spoil('IdempotencyKeys', { pk: newest?.pk }, 'receipt', Buffer.from(SECRET_MARK));

    const read = await caller.send('GET', `/v1/articles/${articleId}`);
    const replayed = await caller.create(key, { articleIds: ['a'], format: 'text' });

    expect([read.status, replayed.status]).toEqual([500, 500]);
    expect(read.text + replayed.text).not.toMatch(/bytes|receipt|JSON|at \//);
    expect(faults()).toEqual([]);
    const failures = lines().filter(({ level }) => level === 'ERROR');
    expect(failures).toHaveLength(2);
    expect(JSON.stringify(failures[0])).toContain('does not parse at');
    for (const line of failures) expect(JSON.stringify(line)).toMatch(/ at .*functions\/\w/);
  });

  it('keeps secrets when the store fails, also when its words quote the request', async () => {
    const quoting = { message: `${SECRET_MARK} ${'x'.repeat(10_000)}\n${SECRET_MARK}` };
    const before = lines().length;
    for (const fault of [
      canned(awsError('ValidationException', 400, quoting)),
      canned(awsError('InternalServerError', 500, quoting)),
      canned(awsError('ThrottlingException', 400, quoting)),
      replaceReply(jsonReply(200, { Item: SECRET_MARK })),
      canned({ status: 200, headers: {}, body: Buffer.from(`<html>${SECRET_MARK}`) }),
    ]) {
      proxy.clear();
      const rule = proxy.rule({ where: ({ target }) => target !== 'other' }, fault);
      const answers = await callAll(`failing-${Math.round(performance.now())}`);
      expect(answers.some(({ status }) => status >= 500)).toBe(true);
      expect(rule.fired).toBeGreaterThan(0);
    }
    proxy.clear();

    expect(faults()).toEqual([]);
    expect(lines().length).toBeGreaterThan(before + 5 * calls('').length - 1);
  });

  async function spoil(
    TableName: string,
    key: Record<string, string | undefined>,
    attribute: string,
    value: string | Uint8Array,
  ): Promise<void> {
    await database.client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall(key),
        UpdateExpression: 'SET #attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: marshall({ ':value': value }),
      }),
    );
  }
});
