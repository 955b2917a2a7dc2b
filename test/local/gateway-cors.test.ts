// The gateway on one machine speaks to browsers as API Gateway does: preflights without token and without
// an invocation, configured headers on what functions answer, and nothing on its own short answers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEADERS_ALLOWED, HEADERS_EXPOSED } from '#contract/headers.ts';
import { corsOf } from '#infra/cors.ts';
import { preflightAnswer, withCors } from '#local/gateway/cors.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const APP = 'https://app.example';
const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const answer = { status: 200, headers: {}, cookies: [], body: Buffer.from('x') };
const preflight = (origin: string) => ({ method: 'OPTIONS', origin, asksFor: 'POST' });

describe('the configuration of origins', () => {
  it.each(['', ' ', ',', ' , '])('%j allows no browser, and configures nothing', (origins) => {
    expect(corsOf(origins)).toBe(false);
  });

  it('is a list separated by commas', () => {
    expect(corsOf(` ${APP}, https://b.example `)).toMatchObject({
      allowedOrigins: [APP, 'https://b.example'],
      allowedMethods: ['POST', 'GET', 'PUT', 'HEAD', 'DELETE'],
      allowedHeaders: HEADERS_ALLOWED,
      exposedResponseHeaders: HEADERS_EXPOSED,
      maxAge: 600,
    });
  });

  it('allows and exposes what a client needs', () => {
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match', 'prefer']) {
      expect(HEADERS_ALLOWED).toContain(name);
    }
    for (const name of [
      'idempotent-replayed',
      'idempotency-expires',
      'retry-after',
      'etag',
      'location',
    ]) {
      expect(HEADERS_EXPOSED).toContain(name);
    }
  });
});

describe('without origins', () => {
  it('is as if there were no CORS: no preflight is answered, no header touched', () => {
    const own = { ...answer, headers: { 'access-control-allow-origin': 'https://own.example' } };

    expect(preflightAnswer(false, preflight(APP))).toBeUndefined();
    expect(withCors(false, APP, own)).toBe(own);
  });
});

describe('with one origin', () => {
  const cors = corsOf(APP);

  it.each([
    'https://evil.example',
    `${APP}.evil.example`,
    `${APP}:8443`,
    'http://app.example',
    'HTTPS://APP.EXAMPLE',
    'null',
    '*',
    '',
    `${APP},https://evil.example`,
  ])('allows nothing to %j', (origin) => {
    expect(preflightAnswer(cors, preflight(origin))).toMatchObject({ status: 204, headers: {} });
    expect(withCors(cors, origin, answer).headers).toEqual({});
  });

  it.each([
    { method: 'GET', origin: APP, asksFor: 'GET' },
    { method: 'OPTIONS', origin: APP, asksFor: undefined },
    { method: 'OPTIONS', origin: undefined, asksFor: 'GET' },
  ])('%j is no preflight', (asked) => {
    expect(preflightAnswer(cors, asked)).toBeUndefined();
  });

  it('takes away what a function says of origins, and adds its own', () => {
    const own = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' };
    const result = withCors(cors, APP, { ...answer, headers: { ...own, etag: '"x"' } });

    expect(result.headers).toEqual({
      etag: '"x"',
      'access-control-allow-origin': APP,
      'access-control-expose-headers': HEADERS_EXPOSED.join(','),
    });
    expect(withCors(cors, undefined, { ...answer, headers: own }).headers).toEqual({});
  });
});

it('* allows any origin, without echoing it', () => {
  const cors = corsOf('*');

  for (const { headers } of [
    preflightAnswer(cors, preflight(APP)),
    withCors(cors, APP, answer),
  ].flatMap((each) => each ?? [])) {
    expect(headers['access-control-allow-origin']).toBe('*');
  }
});

describe('the service on one machine, for a browser app', () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await startStack({ env: { ALLOWED_ORIGINS: APP }, args: ['--base-path', '/exports'] });
  });
  afterAll(() => stack?.stop());
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${stack.url}${path}`, { method, headers: { origin: APP, ...headers } });

  it('answers a preflight without a token, and no function runs', async () => {
    const before = stack.functionsLog();
    const response = await send('OPTIONS', '/v1/export-jobs', {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(APP);
    expect(response.headers.get('access-control-allow-methods')?.split(',')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')?.split(',')).toContain(
      'idempotency-key',
    );
    expect(response.headers.get('access-control-max-age')).toBe('600');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    expect(stack.functionsLog()).toBe(before);
  });

  it('lets its script read what functions answer, problems too, and not what the gateway answers', async () => {
    const authorization = `Bearer ${await stack.token('browser')}`;
    const found = await send('GET', '/v1/export-jobs', { authorization });
    const problem = await send('GET', '/v1/export-jobs?limit=0', { authorization });
    const other = await send('PATCH', '/v1/export-jobs');
    const gateway = await send('GET', '/v1/export-jobs');

    expect([found, problem, other, gateway].map(({ status }) => status)).toEqual([
      200, 400, 405, 401,
    ]);
    for (const { headers } of [found, problem, other]) {
      expect(headers.get('access-control-allow-origin')).toBe(APP);
      expect(headers.get('access-control-expose-headers')).toContain('retry-after');
    }
    expect(corsHeaders(gateway.headers)).toEqual([]);
  });

  it('serves everything below its base path and nothing beside it', async () => {
    const { origin } = new URL(stack.url);
    const authorization = `Bearer ${await stack.token('below')}`;
    const created = await fetch(`${stack.url}/v1/export-jobs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'below' },
      body: JSON.stringify({ articleIds: ['a-1'], format: 'text' }),
    });
    const location = created.headers.get('location') ?? '';
    const job = await fetch(new URL(location, origin), { headers: { authorization } });
    const beside = await fetch(`${origin}/v1/capabilities`);
    const { servers } = (await (await fetch(`${stack.url}/openapi.json`)).json()) as {
      servers: { url: string }[];
    };

    expect(stack.url).toBe(`${origin}/exports`);
    expect([created.status, job.status]).toEqual([202, 200]);
    expect(location).toMatch(/^\/exports\/v1\/export-jobs\//);
    expect(servers[0]?.url).toBe('/exports');
    expect(beside.status).toBe(404);
    expect(await beside.json()).toEqual({ message: 'Not Found' });
  });
});
