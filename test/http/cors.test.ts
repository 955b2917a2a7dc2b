// Which browsers may call is configuration: none by default. Preflight is answered without a token.

import { describe, expect, it } from 'vitest';
import { HEADERS_ALLOWED, HEADERS_EXPOSED } from '#contract/headers.ts';
import { type Answered, type Asked, startService } from '#test/support/service.ts';

const APP = 'https://app.example';
const PREFLIGHT = 'OPTIONS /{proxy+}';

async function call(allowed: string, route: string, asked: Asked): Promise<Answered> {
  const service = await startService({ environment: { ALLOWED_ORIGINS: allowed } });
  const answer = await service.call(route, asked);
  service.close();
  return answer;
}
const corsOf = ({ headers }: Answered) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));
const from = (origin: string): Asked => ({ headers: { origin } });

describe('without configuration', () => {
  it.each([PREFLIGHT, 'GET /v1/export-jobs', 'GET /v1/capabilities'])(
    '%s allows no browser',
    async (route) => {
      const answer = await call('', route, from(APP));

      expect(corsOf(answer)).toEqual([]);
      expect(answer.headers).not.toHaveProperty('vary');
    },
  );
});

describe('with allowed origins', () => {
  it('answers the preflight of one with what a client needs, for ten minutes', async () => {
    const answer = await call(`https://other.example, ${APP}`, PREFLIGHT, {
      subject: '',
      headers: { origin: APP, 'access-control-request-method': 'POST' },
    });

    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': HEADERS_ALLOWED.join(', '),
      'access-control-max-age': '600',
      vary: 'origin',
    });
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match', 'prefer']) {
      expect(HEADERS_ALLOWED).toContain(name);
    }
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('lets its script read the headers of the contract, on success and on every problem', async () => {
    const answers = [
      await call(APP, 'GET /v1/export-jobs', from(APP)),
      await call(APP, 'GET /v1/export-jobs', { ...from(APP), query: { limit: '0' } }),
      await call(APP, 'GET /v1/export-jobs', { ...from(APP), subject: '' }),
      await call(APP, '$default', from(APP)),
      await call(APP, 'GET /v1/capabilities', from(APP)),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 404, 200]);
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe(APP);
      expect(headers['access-control-expose-headers']).toBe(HEADERS_EXPOSED.join(', '));
      expect(headers.vary).toBe('origin');
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
  ])('allows nothing to %j, and says that the answer depends on it', async (origin) => {
    for (const route of [PREFLIGHT, 'GET /v1/export-jobs']) {
      const answer = await call(APP, route, from(origin));

      expect(corsOf(answer)).toEqual([]);
      expect(answer.headers.vary).toBe('origin');
    }
  });

  it('answers a request without an origin without a word of it, cached apart', async () => {
    const answer = await call(APP, 'GET /v1/capabilities', {});

    expect(corsOf(answer)).toEqual([]);
    expect(answer.headers.vary).toBe('origin');
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
  });

  it('keeps cached pages of each origin apart, too', async () => {
    const asked = { ...from(APP), path: { code: 'file-gone', asset: 'page.css' } };
    for (const route of ['GET /problems/{code}', 'GET /docs/{asset}']) {
      const answer = await call(APP, route, asked);

      expect(answer.headers.vary).toContain('origin');
      expect(answer.headers['access-control-allow-origin']).toBe(APP);
    }
  });
});

describe('with * as the allowed origin', () => {
  it('allows any, without echoing it', async () => {
    for (const route of [PREFLIGHT, 'GET /v1/export-jobs']) {
      const answer = await call('*', route, from('https://anything.example'));

      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });
});

it('what is not public is never stored by a cache, and never sniffed', async () => {
  const service = await startService();
  const routes = ['GET /v1/export-jobs', 'GET /v1/articles', '$default', PREFLIGHT];
  for (const route of routes) {
    const { headers } = await service.call(route);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
  service.close();
});
