// The list of routes, serverless.yml and what is really answered are one: every path under every method.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodsAt, OPERATIONS, ROUTES, type RouteEntry, routeKeysOf } from '#contract/routes.ts';
import { readServiceDefinition } from '#local/stack/service-definition.ts';
import { type Asked, type Service, startService } from '#test/support/service.ts';

const ENTRIES: readonly RouteEntry[] = OPERATIONS.map((operation) => ROUTES[operation]);
const PATHS = [...new Set(ENTRIES.map(({ path }) => path))];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'BREW'];
/** Parameters that something is found under. */
const FOUND = { code: 'file-gone', asset: 'page.css', articleId: 'a-1' };

describe('serverless.yml', () => {
  const routes = readServiceDefinition('serverless.yml').functions.flatMap(({ routes }) => routes);

  it('wires each route of the list to a function, and $default, and no other', () => {
    const wired = routes.map(({ method, path }) =>
      path === '$default' ? path : `${method} ${path}`,
    );

    expect(wired.sort()).toEqual(['$default', ...ENTRIES.flatMap(routeKeysOf)].sort());
  });

  it('asks for a token exactly where a route is for callers', () => {
    const asking = routes.filter(({ authorized }) => authorized);
    const forCallers = ENTRIES.filter(({ access }) => access === 'caller');

    expect(asking.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      forCallers.flatMap(routeKeysOf).sort(),
    );
  });
});

describe('what is answered', () => {
  let service: Service;
  let below: Service;
  beforeAll(async () => {
    service = await startService();
    below = await startService({
      database: service.database,
      environment: { BASE_PATH: '/exports' },
    });
    await service.call('PUT /v1/articles/{articleId}', {
      path: FOUND,
      headers: { 'content-type': 'application/json' },
      body: { title: 'T', markdown: 'x' },
    });
  });
  afterAll(() => {
    service.close();
    below.close();
  });
  const askDefault = (method: string, rawPath: string, by = service) =>
    by.call('$default', { method, rawPath });
  const filled = (path: string) => path.replace(/\{\w+\}/g, 'x');

  const refused = PATHS.flatMap((path) =>
    METHODS.filter((method) => !methodsAt(path).some((served) => served === method)).map(
      (method) => [method, path] as const,
    ),
  );
  it.each(refused)('%s %s is 405, and Allow names what the path takes', async (method, path) => {
    const allowed = ENTRIES.filter((entry) => entry.path === path).flatMap(
      ({ methods }) => methods,
    );

    const answer = await askDefault(method, filled(path));

    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allowed.join(', '));
    if (method !== 'HEAD') expect(answer.body.code).toBe('method-not-allowed');
  });

  it.each([
    '/',
    '',
    '/v1',
    '/v1/export-jobs/',
    '/v1/articles/',
    '//v1/export-jobs',
    '/V1/export-jobs',
    '/v1/articles/a/b',
    '/v1/articles/__proto__/x',
    '/exports/v1/articles',
    '/docs/',
    '/v1/operations//abandon',
  ])('PATCH %j is 404: it is served under no method', async (path) => {
    const answer = await askDefault('PATCH', path);

    expect(answer).toMatchObject({ status: 404, body: { code: 'route-not-found' } });
    expect(answer.headers).not.toHaveProperty('allow');
  });

  it('a path is known below the base path, and without it at the address of the API itself', async () => {
    expect((await askDefault('PATCH', '/exports/v1/articles', below)).headers.allow).toBe('GET');
    expect((await askDefault('PATCH', '/v1/articles', below)).status).toBe(405);
    expect((await askDefault('PATCH', '/exportsv1/articles', below)).status).toBe(404);
    expect((await askDefault('PATCH', '/exports', below)).status).toBe(404);
  });

  const withHead = ENTRIES.filter(({ methods }) => methods.includes('HEAD'));
  it.each(withHead.map(({ path }) => path))(
    'HEAD %s is as GET, headers and all, without the body',
    async (path) => {
      const asked: Asked = { path: FOUND, headers: { 'x-request-id': 'r' } };
      const get = await service.call(`GET ${path}`, asked);
      const head = await service.call(`HEAD ${path}`, asked);

      expect(get.status).toBe(200);
      expect(get.text).not.toBe('');
      expect(head).toEqual({ ...get, text: '', body: undefined });
    },
  );

  it('HEAD is served on all that is public, and on an article', () => {
    const without = ENTRIES.filter((entry) => !withHead.includes(entry));

    expect(without.every(({ access }) => access === 'caller')).toBe(true);
    expect(withHead.filter(({ access }) => access === 'caller')).toEqual([ROUTES.getArticle]);
  });

  it('HEAD of what is not there is as GET, too', async () => {
    const path = { articleId: 'absent', code: 'absent' };
    for (const template of ['/v1/articles/{articleId}', '/problems/{code}']) {
      const get = await service.call(`GET ${template}`, { path });
      const head = await service.call(`HEAD ${template}`, { path });

      expect([get.status, head.status, head.text]).toEqual([404, 404, '']);
    }
  });
});
