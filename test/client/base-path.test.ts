// A service below a base path: every request of the client stays below it, and answers that name the
// path are understood.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientIn, type ExportOnceClient } from '#client/client.ts';
import { isProblemError } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import { FILE, JOB as FINISHED } from '#test/client/whole-service.ts';
import { JOB_ID, problemAnswer, RECEIPT } from '#test/client/wire-answers.ts';

const BASE = '/teams/exports';
const SELF = `${BASE}/v1/export-jobs/${JOB_ID}`;
const JOB = {
  ...FINISHED,
  links: { self: SELF, cancel: `${SELF}/cancel`, file: `${SELF}/file` },
};
const ARTICLE = {
  id: 'a',
  title: 'T',
  bytes: 1,
  etag: '"e"',
  updatedAt: RECEIPT.createdAt,
  markdown: 'x',
  language: 'und',
};
const OPERATION = {
  key: 'k',
  state: 'committed',
  expired: false,
  job: { id: JOB_ID, href: SELF },
  committedAt: RECEIPT.createdAt,
  expiresAt: RECEIPT.keyExpiresAt,
};

let server: http.Server;
let origin: string;
let asked: string[];
beforeEach(async () => {
  asked = [];
  server = http.createServer((request, response) => {
    const { method, url = '' } = request;
    asked.push(`${method} ${url}`);
    if (url === '/file') return void response.end(FILE);
    const path = url.startsWith(`${BASE}/`) ? url.slice(BASE.length) : 'outside';
    const [status, body] = answerTo(`${method} ${path}`);
    const isProblem = status >= 400;
    response.writeHead(status, {
      'content-type': isProblem ? 'application/problem+json' : 'application/json',
    });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function answerTo(request: string): [number, unknown] {
  const job = `/v1/export-jobs/${JOB_ID}`;
  const problem = JSON.parse(problemAnswer('job-already-finished', 409).body);
  const answers: Record<string, [number, unknown]> = {
    'POST /v1/export-jobs': [202, { ...RECEIPT, links: { self: SELF } }],
    'GET /v1/export-jobs': [200, { items: [JOB], cursor: 'c' }],
    'GET /v1/export-jobs?cursor=c': [200, { items: [] }],
    [`GET ${job}`]: [200, JOB],
    [`POST ${job}/cancel`]: [409, { ...problem, type: `${BASE}/problems/job-already-finished` }],
    [`GET ${job}/file`]: [200, { url: `${origin}/file`, expiresAt: 'x' }],
    'GET /v1/operations/k': [200, OPERATION],
    'POST /v1/operations/k/abandon': [200, { ...OPERATION, state: 'abandoned', executed: 'no' }],
    'PUT /v1/articles/a': [201, ARTICLE],
    'GET /v1/articles/a': [200, ARTICLE],
    'GET /v1/articles': [200, { items: [ARTICLE] }],
    'DELETE /v1/articles/a': [204, undefined],
  };
  return answers[request] ?? [404, JSON.parse(problemAnswer('route-not-found', 404).body)];
}

async function callAll(client: ExportOnceClient): Promise<void> {
  await client.createExportJob({ articleIds: ['a'], format: 'text' });
  await Array.fromAsync(client.listJobs());
  await client.getJob(JOB_ID);
  await client.waitForJob(JOB_ID);
  await client.cancelJob(JOB_ID).catch(() => {});
  await client.downloadFile(JOB_ID, new WritableStream());
  await client.lookupOperation('k');
  await client.abandonOperation('k');
  await client.putArticle('a', { title: 'T', markdown: 'x' });
  await client.getArticle('a');
  await Array.fromAsync(client.listArticles());
  await client.deleteArticle('a');
}

const clientAt = (url: string) =>
  clientIn({ ...realWorld, random: () => 0 }, { url, token: 't', retryBudget: retryBudget() });

it.each(['', '/', '//'])('every request stays below it (ending in %j)', async (ending) => {
  await callAll(clientAt(`${origin}${BASE}${ending}`));

  const elsewhere = asked.filter((request) => !request.includes(` ${BASE}/v1/`));
  expect(elsewhere).toEqual(['GET /file']);
  expect(asked).toHaveLength(15);
});

it('a receipt, a found operation and a problem name it', async () => {
  const client = clientAt(`${origin}${BASE}`);

  const created = await client.createExportJob({ articleIds: ['a'], format: 'text' });
  const operation = await client.lookupOperation('k');
  const refusal = await client.cancelJob(JOB_ID).catch((error) => error);

  expect(created.href).toBe(SELF);
  expect(operation).toMatchObject({ job: { href: SELF } });
  expect(isProblemError(refusal) && refusal.problem.type).toBe(
    `${BASE}/problems/job-already-finished`,
  );
});

it('a URL without it is not executed, and said to lack it', async () => {
  const error = await clientAt(origin)
    .createExportJob({ articleIds: ['a'], format: 'text' })
    .catch((thrown) => thrown);

  expect([error.problem.code, error.outcome]).toEqual(['route-not-found', 'not-executed']);
  expect(error.message).toContain('base path');
});
