// What a job and its file promise, from the first look to the day when the file is gone.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect } from 'vitest';
import { BODY } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import { gate, holdRequest } from '#test/support/wire-actions.ts';

const JOB = 'GET /v1/export-jobs/{jobId}';
const CANCEL = 'POST /v1/export-jobs/{jobId}/cancel';
const FILE = 'GET /v1/export-jobs/{jobId}/file';
const URL_LIFE_MS = 5 * 60_000;

export const JOBS_AND_FILES: readonly PromiseRow[] = [
  {
    situation: '`Prefer: wait=N` on a job',
    answer: '200 at the next change, or after N seconds; 304 if it is still what the caller has',
    async play({ call, create, serviceWith }) {
      const path = { jobId: (await create()).body.id };
      let waitedMs = 0;
      let cancelAtMs = Number.POSITIVE_INFINITY;
      const service = await serviceWith({
        world: {
          nowMs: () => Date.now(),
          monotonicMs: () => waitedMs,
          sleepMs: async (ms) => {
            waitedMs += ms;
            if (waitedMs >= cancelAtMs) await call(CANCEL, { path });
          },
        },
      });
      const seen = await call(JOB, { path }, service);
      const headers = { prefer: 'wait=5', 'if-none-match': seen.headers.etag ?? '' };
      const remainingMs = () => 25_000 - waitedMs;

      const unchanged = await call(JOB, { path, headers, remainingMs }, service);
      expect(waitedMs).toBe(5_000);
      cancelAtMs = waitedMs + 1_000;
      const changed = await call(JOB, { path, headers, remainingMs }, service);

      expect(waitedMs).toBeLessThan(10_000);
      expect(unchanged.status).toBe(304);
      expect(changed.body.status).toBe('cancelled');
      return [seen, unchanged, changed];
    },
  },
  {
    situation: 'cancel of a queued or running job',
    answer: '200; such a job never becomes succeeded',
    async play({ call, create, key, stack }) {
      const queued = (await create()).body.id;
      const cancelled = await call(CANCEL, { path: { jobId: queued } });
      const { caller, proxy } = await stack();
      proxy.clear();
      const reading = gate();
      proxy.rule({ table: 'Articles', nth: 1 }, holdRequest(reading));
      const running = (await caller.create(key, BODY)).body.id;
      await reading.reached;

      const asked = await caller.send('POST', `/v1/export-jobs/${running}/cancel`);
      reading.open();
      const ended = await caller.finished(running);

      expect(cancelled.body.status).toBe('cancelled');
      expect(asked.body).toMatchObject({ status: 'running', cancelRequested: true });
      expect(ended.status).toBe('cancelled');
      return [cancelled, asked];
    },
  },
  {
    situation: 'cancel of a job that has succeeded or failed',
    answer: '409 `job-already-finished`',
    async play({ key, stack }) {
      const { caller } = await stack();
      const { body: made } = await caller.create(key, BODY);
      const { body: unmade } = await caller.create(`${key}-b`, { ...BODY, articleIds: ['absent'] });
      expect((await caller.finished(made.id)).status).toBe('succeeded');
      expect((await caller.finished(unmade.id)).status).toBe('failed');

      return [
        await caller.send('POST', `/v1/export-jobs/${made.id}/cancel`),
        await caller.send('POST', `/v1/export-jobs/${unmade.id}/cancel`),
      ];
    },
  },
  {
    situation: 'the file of a job that succeeded',
    answer:
      '303 to a URL that is good for five minutes; with `Accept: application/json` 200 and the URL in the body',
    async play({ key, stack }) {
      const { caller } = await stack();
      const { body: made } = await caller.create(key, BODY);
      const job = await caller.finished(made.id);
      const beforeMs = Date.now();

      const led = await caller.send('GET', job.links.file);
      const headers = { accept: 'application/json' };
      const told = await caller.send('GET', job.links.file, { headers });

      for (const url of [led.headers.get('location'), told.body.url]) {
        const file = await fetch(url ?? '');
        expect((await file.arrayBuffer()).byteLength).toBe(job.file.bytes);
      }
      const lifeMs = Date.parse(told.body.expiresAt) - beforeMs;
      expect(lifeMs).toBeGreaterThanOrEqual(URL_LIFE_MS);
      expect(lifeMs).toBeLessThanOrEqual(URL_LIFE_MS + Date.now() - beforeMs);
      return [led, told];
    },
  },
  {
    situation: 'a file too early, or of a job that ended without one',
    answer: '409 `job-not-finished` with `Retry-After`; 409 `job-has-no-file`',
    async play({ call, create }) {
      const path = { jobId: (await create()).body.id };

      const early = await call(FILE, { path });
      await call(CANCEL, { path });
      const never = await call(FILE, { path });

      expect(Number(early.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      return [early, never];
    },
  },
  {
    situation: 'a file that is no longer kept',
    answer: '410 `file-gone`',
    async play({ key, stack }) {
      const { caller, folder } = await stack();
      const { body: made } = await caller.create(key, BODY);
      const job = await caller.finished(made.id);
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (name.includes(made.id)) rmSync(join(folder, name), { recursive: true, force: true });
      }

      return [await caller.send('GET', job.links.file)];
    },
  },
  {
    situation: 'what is not yours, or is not there',
    answer:
      '404 `job-not-found`, 404 `article-not-found`, 404 `route-not-found`: the same for both',
    async play({ call, create }) {
      const theirs = (await create({ subject: 'somebody-else' })).body.id;
      const ask = (jobId: string) => call(JOB, { path: { jobId } });

      const notMine = await ask(theirs);
      const absent = await ask(v7());
      const article = await call('GET /v1/articles/{articleId}', { path: { articleId: 'absent' } });
      const route = await call('$default');

      const { requestId: _, ...said } = notMine.body;
      expect(absent.body).toMatchObject(said);
      return [notMine, absent, article, route];
    },
  },
];
