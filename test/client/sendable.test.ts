// What fetch would never send: found out before an attempt, so that it proves that nothing was executed.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBlockedPort } from '#client/blocked-ports.ts';
import { clientIn, createClient } from '#client/client.ts';
import { isNoAnswerError, isStoppedError } from '#client/errors.ts';
import { fetchFailure } from '#client/fetch-failure.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { headerTrouble, tokenTrouble } from '#client/sendable.ts';
import { realWorld } from '#client/world.ts';
import { resets, type ScriptedServer, startScriptedServer } from '#test/client/scripted-server.ts';

const PARAMS = { articleIds: ['a-1'], format: 'text' } as const;

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const clientWith = (token: string | (() => string), url = server.url) =>
  clientIn({ ...realWorld, random: () => 0 }, { url, token, retryBudget: retryBudget() });
const failureWith = (token: string | (() => string), options = {}) =>
  clientWith(token)
    .createExportJob(PARAMS, options)
    .catch((error) => error);

describe('a token', () => {
  it.each([
    ['with a curly quote', 'tok\u2019en', 'U+2019', 'character 4'],
    ['with a line break inside', 'to\nken', 'U+000A', 'character 3'],
    ['with a carriage return inside', 'to\rken', 'U+000D', 'character 3'],
    ['with a null', 'token\0', 'U+0000', 'character 6'],
    ['with a control', 'tok\u0001en', 'U+0001', 'character 4'],
    ['with an emoji', '\u{1F511}', 'U+1F511', 'character 1'],
  ])(
    '%s is not sent: no attempt, not executed, its character named',
    async (_, token, ...named) => {
      const error = await failureWith(token);

      expect(isStoppedError(error) && error.code).toBe('argument-invalid');
      expect(error).toMatchObject({ outcome: 'not-executed', attempts: [] });
      expect(error.message).toContain('The token');
      for (const words of named) expect(error.message).toContain(words);
      expect(error.message).not.toContain(token);
      expect([server.creates.length, server.others.length]).toEqual([0, 0]);
    },
  );

  it.each([
    ['is empty', ''],
    ['is only a line break', '\n'],
    ['is none', undefined as unknown as string],
  ])('that %s is not sent', async (_, token) => {
    const error = await failureWith(() => token);

    expect(error).toMatchObject({
      code: 'argument-invalid',
      outcome: 'not-executed',
      attempts: [],
    });
    expect(error.message).toContain('The token is');
  });

  it('from a file is sent without the end of its line', async () => {
    await clientWith(' token\r\n').createExportJob(PARAMS);

    expect(server.creates[0]?.headers.authorization).toBe('Bearer token');
  });

  it('with bytes above ASCII is sent', async () => {
    await clientWith('töken').createExportJob(PARAMS);

    expect(server.creates[0]?.headers.authorization).toBe('Bearer töken');
  });

  it('that cannot be sent on a retry takes nothing back', async () => {
    const tokens = ['token', 'tok\u2019en'];
    server.script(resets);

    const error = await failureWith(() => tokens.shift() ?? '');

    expect(error).toMatchObject({ code: 'argument-invalid', outcome: 'unknown' });
    expect(error.attempts).toHaveLength(1);
  });

  it('that cannot be sent proves nothing of earlier calls', async () => {
    const error = await failureWith('tok\u2019en', { idempotencyKey: 'k' });

    expect(error).toMatchObject({ outcome: 'unknown', attempts: [] });
  });
});

it.each(['"tag\u2019"', '"a\nb"'])('an entity tag %j is named, and not sent', async (ifMatch) => {
  const article = { title: 'T', markdown: 'x' };

  const errors = await Promise.all([
    clientWith('t')
      .putArticle('a', article, { ifMatch })
      .catch((error) => error),
    clientWith('t')
      .deleteArticle('a', { ifMatch })
      .catch((error) => error),
  ]);

  for (const error of errors) {
    expect(error).toMatchObject({ code: 'argument-invalid', attempts: [] });
    expect(error.message).toContain('The header if-match');
  }
  expect(server.others).toHaveLength(0);
});

describe('a port that fetch blocks', () => {
  it.each([6000, 10080, 1])('(%d) is named, and nothing is sent', async (port) => {
    const client = clientWith('t', `http://127.0.0.1:${port}`);

    const error = await client.createExportJob(PARAMS).catch((thrown) => thrown);

    expect(error).toMatchObject({
      code: 'argument-invalid',
      outcome: 'not-executed',
      attempts: [],
    });
    expect(error.message).toContain(`no port ${port}`);
  });

  it('is one that this fetch refuses, too, and its neighbours are none', async () => {
    const blocked = Array.from({ length: 65_536 }, (_, port) => port).filter(isBlockedPort);
    const reasons = await Promise.all(
      blocked.filter((port) => port !== 0).map((port) => causeAt(port)),
    );

    expect(new Set(reasons)).toEqual(new Set(['bad port']));
    expect([6001, 10079, 10081, 8080, 443].filter(isBlockedPort)).toEqual([]);
  });

  it('is left to a fetch of the caller', async () => {
    const urls: string[] = [];
    const client = createClient({
      url: 'http://127.0.0.1:6000',
      token: 't',
      retryBudget: retryBudget(0),
      fetch: async (url) => {
        urls.push(url);
        throw new Error('mine');
      },
    });

    await client.createExportJob(PARAMS).catch(() => {});

    expect(urls).toEqual(['http://127.0.0.1:6000/v1/export-jobs']);
  });

  it('of a file is named, and nothing is asked for there', async () => {
    const body = (value: object) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
    const job = {
      id: 'j',
      status: 'succeeded',
      idempotencyKey: 'k',
      format: 'text',
      createdAt: '2026-01-01T00:00:00.000Z',
      progress: { done: 1, total: 1 },
      file: { bytes: 1, sha256: '0', contentType: 'text/plain' },
      links: { self: '/s', cancel: '/c', file: '/f' },
    };
    server.scriptOthers(
      ({ answer }) => answer(body(job)),
      ({ answer }) => answer(body({ url: 'http://127.0.0.1:6000/file' })),
    );

    const error = await clientWith('t')
      .downloadFile('j', new WritableStream())
      .catch((thrown) => thrown);

    expect(isNoAnswerError(error) && error.message).toContain('no port 6000');
  });
});

async function causeAt(port: number): Promise<string> {
  const error: unknown = await fetch(`http://127.0.0.1:${port}`).catch((thrown) => thrown);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : 'none';
}

describe('an address that fetch takes for none', () => {
  it.each(['http://user@service.test', 'http://:secret@service.test', 'ftp://service.test', 'x'])(
    '(%s) makes no client',
    (url) => {
      expect(() => createClient({ url, token: 't' })).toThrow('url is the http(s) address');
    },
  );
});

describe('a failure of another fetch', () => {
  it.each([
    ['a port', { message: 'bad port' }],
    ['a header, by undici', { code: 'UND_ERR_INVALID_ARG' }],
    ['a header, by Node', { code: 'ERR_INVALID_CHAR' }],
  ])('that refused %s proves that nothing was sent', (_, cause) => {
    const error = new TypeError('fetch failed', { cause });

    expect(fetchFailure(error)).toEqual({ kind: 'unsent', why: 'unsendable' });
  });

  it('is not tried again', async () => {
    const client = clientIn(
      {
        ...realWorld,
        random: () => 0,
        fetch: async () => {
          throw new TypeError('fetch failed', { cause: new Error('bad port') });
        },
      },
      { url: server.url, token: 't', retryBudget: retryBudget() },
    );

    const error = await client.createExportJob(PARAMS).catch((thrown) => thrown);

    expect(error).toMatchObject({ outcome: 'not-executed', attempts: [{ failure: 'unsendable' }] });
  });
});

describe('a header value', () => {
  const ALL = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));

  it('is called sendable only if fetch sends it', () => {
    const sendable = ALL.filter((text) => headerTrouble({ x: `a${text}b` }) === undefined);

    for (const text of sendable) expect(() => new Headers({ x: `a${text}b` })).not.toThrow();
    expect(sendable).toHaveLength(1 + 95 + 128);
    expect(sendable.filter((text) => tokenTrouble(text) !== undefined)).toEqual([]);
  });
});
