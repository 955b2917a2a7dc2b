// Below a base path every path that an answer names begins with it: Location, links, jobs that problems name,
// types of problems, the servers of the description. It is configuration; nothing of a request moves it.

import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '#test/support/service.ts';

const BASE = '/exports';
const BODY = { articleIds: ['a-1'], format: 'text' };
const JSON_TYPE = { 'content-type': 'application/json' };

let plain: Service;
let below: Service;
beforeAll(async () => {
  plain = await startService();
  below = await startService({ database: plain.database, environment: { BASE_PATH: BASE } });
});
afterAll(() => {
  plain.close();
  below.close();
});

it('a receipt, its Location and the job lead below it', async () => {
  const created = await below.create(v7(), BODY);
  const path = { jobId: created.body.id };
  const self = `${BASE}/v1/export-jobs/${path.jobId}`;
  const job = await below.call('GET /v1/export-jobs/{jobId}', { path });
  const list = await below.call('GET /v1/export-jobs', { query: { limit: '1' } });

  expect(created.headers.location).toBe(self);
  expect(created.body.links).toEqual({ self });
  expect(job.body.links).toEqual({ self, cancel: `${self}/cancel`, file: `${self}/file` });
  expect(list.body.items[0].links.self).toBe(self);
});

it('an article leads below it', async () => {
  const asked = { headers: JSON_TYPE, body: { title: 'T', markdown: 'x' } };
  const put = await below.call('PUT /v1/articles/{articleId}', {
    ...asked,
    path: { articleId: 'a-1' },
  });

  expect([put.status, put.headers.location]).toEqual([201, `${BASE}/v1/articles/a-1`]);
});

it('a problem and the job that it names lead below it', async () => {
  const key = v7();
  const { body } = await below.create(key, BODY);
  const href = `${BASE}/v1/export-jobs/${body.id}`;
  const path = { key, jobId: body.id };

  const problems = [
    await below.create(key, { ...BODY, format: 'html' }),
    await below.call('POST /v1/operations/{key}/abandon', { path }),
    await below.call('GET /v1/export-jobs/{jobId}/file', { path }),
  ];
  const found = await below.call('GET /v1/operations/{key}', { path });

  expect(problems.map(({ status }) => status)).toEqual([422, 409, 409]);
  for (const problem of problems) {
    expect(problem.body.type).toBe(`${BASE}/problems/${problem.body.code}`);
    expect(problem.body.job.href).toBe(href);
  }
  expect(found.body.job.href).toBe(href);
});

it('a bug and an unknown path are problems below it, too', async () => {
  const answer = await below.call('$default', { rawPath: '/nowhere' });

  expect(answer.body.type).toBe(`${BASE}/problems/route-not-found`);
});

it('the description names it as its server; without one, the place that it was read from', async () => {
  const servers = async (service: Service) =>
    (await service.call('GET /openapi.json')).body.servers.map(({ url }: { url: string }) => url);
  const readFrom = 'https://api.example.com/exports/openapi.json';

  expect(await servers(below)).toEqual([BASE]);
  expect(await servers(plain)).toEqual(['.']);
  for (const [url] of [await servers(below), await servers(plain)]) {
    expect(new URL(url, readFrom).href).toMatch(/^https:\/\/api\.example\.com\/exports\/?$/);
  }
});

it('a stored receipt keeps the one that it was made with, byte for byte', async () => {
  const key = v7();
  const made = await plain.create(key, BODY);
  const later = await below.create(key, BODY);

  expect(later.status).toBe(202);
  expect(later.headers['idempotent-replayed']).toBe('true');
  expect(later.text).toBe(made.text);
  expect(later.headers.location).toBe(`/v1/export-jobs/${made.body.id}`);
});

it('nothing of a request moves it', async () => {
  const { body } = await plain.create(v7(), BODY);
  const hostile = {
    host: 'evil.example',
    forwarded: 'host=evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-path': '/evil',
  };
  const job = await plain.call('GET /v1/export-jobs/{jobId}', {
    path: { jobId: body.id },
    headers: hostile,
    rawPath: `/evil/v1/export-jobs/${body.id}`,
  });
  const unknown = await plain.call('$default', { headers: hostile, rawPath: '/evil/x' });

  expect(job.body.links.self).toBe(`/v1/export-jobs/${body.id}`);
  expect(`${job.text}${unknown.text}${JSON.stringify(unknown.headers)}`).not.toContain('evil');
});
