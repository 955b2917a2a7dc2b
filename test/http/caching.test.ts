// What a cache may keep, and for whom: nothing of a caller's; public pages, apart for each origin that reads
// them. Which browsers may read is the gateway's to say: functions say no word of it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '#test/support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PUBLIC = [
  ['GET /v1/capabilities', {}],
  ['GET /openapi.json', {}],
  ['GET /docs', {}],
  ['GET /docs/{asset}', { asset: 'page.css' }],
  ['GET /problems/{code}', { code: 'file-gone' }],
] as const;

it.each(PUBLIC)('%s may be kept, apart for each origin', async (route, path) => {
  const { headers } = await service.call(route, { path });

  expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
  expect(headers.vary).toContain('origin');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it.each(['GET /v1/export-jobs', 'GET /v1/articles', '$default'])(
  '%s is never kept, and never guessed at',
  async (route) => {
    const { headers } = await service.call(route);

    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
  },
);

it.each([...PUBLIC.map(([route]) => route), 'GET /v1/export-jobs', '$default'])(
  '%s names no origin',
  async (route) => {
    const { headers } = await service.call(route, { headers: { origin: 'https://app.example' } });

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  },
);
