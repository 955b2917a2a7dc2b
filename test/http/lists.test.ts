// Lists: newest first, stable while jobs are made, cursors that are good for their caller and their filters
// only, and pages bounded by what they read.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ownerOf } from '#export-jobs/create-port.ts';
import { makeCursor } from '#http/cursor.ts';
import { type Answered, type Service, startService } from '#test/support/service.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const LIST = 'GET /v1/export-jobs';
const BODY = { articleIds: ['a'], format: 'text' };

let service: Service;
let proxy: WireProxy;
let number = 0;
let subject = '';

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
beforeEach(() => {
  number += 1;
  subject = `caller-${number}`;
  proxy.clear();
});

const list = (query: Record<string, string> = {}, by = subject) =>
  service.call(LIST, { query, subject: by });
const make = async (count: number, more: object = {}): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const made = await service.create(v7(), { ...BODY, ...more }, { subject });
    ids.push(made.body.id);
  }
  return ids;
};
const cancel = (jobId: string) =>
  service.call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId }, subject });
const idsOf = ({ body }: Answered): string[] => body.items.map(({ id }: { id: string }) => id);

/** All pages, with what happens between two of them. */
async function walk(
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => {},
) {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: Answered = await list({ ...query, ...(cursor && { cursor }) });
    expect(page.status).toBe(200);
    ids.push(...idsOf(page));
    sizes.push(page.body.items.length);
    cursor = page.body.cursor;
    if (cursor !== undefined) await between();
  }
  return { ids, sizes };
}

describe('the list of jobs', () => {
  it('is newest first, 20 a page unless asked, and sees a job that was just made', async () => {
    const made = await make(22);
    const first = await list();

    expect(idsOf(first)).toEqual(made.toReversed().slice(0, 20));
    expect((await walk({})).ids).toEqual(made.toReversed());
    expect(proxy.requests.at(-1)?.body.ConsistentRead).toBe(true);
  });

  it('shows each job once while others are made and cancelled between the pages', async () => {
    const made = await make(7);
    const { ids, sizes } = await walk({ limit: '2' }, async () => {
      await make(1);
      await cancel(made[0] ?? '');
    });

    expect(ids).toEqual(made.toReversed());
    expect(sizes.slice(0, 3)).toEqual([2, 2, 2]);
  });

  it.each(['1', '100'])('takes a limit of %s', async (limit) => {
    expect((await list({ limit })).status).toBe(200);
  });

  it.each(['0', '101', '', '-1', '1.5', '+1', '1e1', '07', ' 1', '1,2', 'ten', '1000'])(
    'refuses a limit of %j',
    async (limit) => {
      const answer = await list({ limit });

      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation-failed', errors: [{ pointer: '/limit' }] },
      });
      expect(proxy.count()).toBe(0);
    },
  );

  it.each(['colour', '__proto__', 'constructor', 'Limit'])(
    'refuses a parameter that it does not know: %s',
    async (name) => {
      const answer = await list(Object.fromEntries([[name, 'x']]));

      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${name}` }] } });
      expect(proxy.count()).toBe(0);
    },
  );

  it('is empty for another caller, and says nothing of the jobs that there are', async () => {
    await make(1);

    expect((await list({}, 'nobody')).body).toEqual({ items: [] });
  });
});

describe('a cursor', () => {
  it("of another caller, of other filters or of another list is refused, as one's own is not", async () => {
    await make(3);
    const { cursor } = (await list({ limit: '1' })).body;
    const mine = await list({ cursor });
    const others = await list({ cursor }, 'someone-else');
    const filtered = await list({ cursor, status: 'queued' });
    const keyed = await list({ cursor, idempotencyKey: 'k' });
    const articles = await service.call('GET /v1/articles', { subject, query: { cursor } });

    expect(mine.status).toBe(200);
    for (const refused of [others, filtered, keyed, articles]) {
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'validation-failed', errors: [{ pointer: '/cursor' }] },
      });
    }
  });

  it('that is changed in any way is refused, and no made-up one reaches the store', async () => {
    await make(2);
    const { cursor } = (await list({ limit: '1' })).body as { cursor: string };
    proxy.clear();
    const changed = fc
      .record({ at: fc.nat(cursor.length - 1), by: fc.string({ minLength: 1, maxLength: 1 }) })
      .map(({ at, by }) => cursor.slice(0, at) + by + cursor.slice(at + 1));
    const forged = fc.oneof(
      changed,
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.base64String({ maxLength: 600 }),
      fc.constantFrom(`${cursor}=`, `${cursor}A`, cursor.slice(1), cursor + cursor, ''),
    );

    await fc.assert(
      fc.asyncProperty(forged, async (text) => {
        fc.pre(text !== cursor);
        expect((await list({ cursor: text })).status).toBe(400);
      }),
      { numRuns: 500 },
    );
    expect(proxy.count()).toBe(0);
  });

  it('that was made by the same arithmetic, but points at no ID, is refused too', async () => {
    const owner = ownerOf({ issuer: 'https://issuer.test', subject });
    const jobs = makeCursor('not an ID', ['export-jobs', owner, '', '', '']);
    const articles = makeCursor('not/an/ID', ['articles', owner]);

    expect((await list({ cursor: jobs })).status).toBe(400);
    const answer = await service.call('GET /v1/articles', { subject, query: { cursor: articles } });
    expect(answer.status).toBe(400);
    expect(proxy.count()).toBe(0);
  });
});

describe('filters', () => {
  it('find by status, over pages that read a bounded amount each', async () => {
    const made = await make(6);
    for (const jobId of made.slice(0, 3)) await cancel(jobId);
    proxy.clear();
    const { ids } = await walk({ status: 'cancelled', limit: '2' });

    expect(ids).toEqual(made.slice(0, 3).toReversed());
    for (const { target, body } of proxy.requests) {
      expect(target).toBe('Query');
      expect(body.Limit).toBeLessThanOrEqual(500);
    }
  });

  it('answer an empty page with a cursor when the page read its share and found nothing', async () => {
    const heavy = await make(1, { title: 'x'.repeat(200) });
    await cancel(heavy[0] ?? '');
    // More than a page looks at: 500 jobs, newer than the one that matches.
    await Promise.all(Array.from({ length: 10 }, () => make(51)));
    proxy.clear();
    const first = await list({ status: 'cancelled' });
    const { ids, sizes } = await walk({ status: 'cancelled' });

    expect(first.body.items).toEqual([]);
    expect(first.body.cursor).toEqual(expect.any(String));
    expect(ids).toEqual(heavy);
    expect(sizes).toEqual([0, 1]);
    for (const { response } of proxy.requests) {
      expect(response.ScannedCount).toBeLessThanOrEqual(500);
      // 1 MB, consistently read, is 256 units.
      expect(response.ConsumedCapacity.CapacityUnits).toBeLessThanOrEqual(256);
    }
  });

  it('find the job of a source batch by its claim: two reads by key, no query', async () => {
    const [other] = await make(1);
    const [jobId] = await make(1, { sourceBatchId: 'batch-7' });
    proxy.clear();
    const found = await list({ sourceBatchId: 'batch-7' });

    expect(idsOf(found)).toEqual([jobId]);
    expect(found.body).not.toHaveProperty('cursor');
    expect(proxy.requests.map(({ target, tables }) => [target, ...tables])).toEqual([
      ['GetItem', 'BusinessKeys'],
      ['GetItem', 'ExportJobs'],
    ]);
    expect(idsOf(await list({ sourceBatchId: 'batch-8' }))).toEqual([]);
    expect(idsOf(await list({ sourceBatchId: 'batch-7', status: 'failed' }))).toEqual([]);
    expect(idsOf(await list({ sourceBatchId: 'batch-7', status: 'queued' }))).toEqual([jobId]);
    expect(idsOf(await list({ sourceBatchId: 'BATCH-7' }))).toEqual([]);
    expect((await list({ sourceBatchId: 'batch-7' }, 'someone-else')).body.items).toEqual([]);
    expect(other).not.toBe(jobId);
  });

  it('find nothing for a batch whose job is purged, and the claim stands', async () => {
    const [jobId = ''] = await make(1, { sourceBatchId: 'purged' });
    const owner = ownerOf({ issuer: 'https://issuer.test', subject });
    await service.database.client.send(
      new DeleteItemCommand({
        TableName: 'ExportJobs',
        Key: { owner: { S: owner }, jobId: { S: jobId } },
      }),
    );
    const again = await service.create('k', { ...BODY, sourceBatchId: 'purged' }, { subject });

    expect((await list({ sourceBatchId: 'purged' })).body).toEqual({ items: [] });
    expect(again).toMatchObject({ status: 409, body: { job: { id: jobId } } });
  });

  it('find a job by its key, in either spelling of a UUIDv7', async () => {
    const key = v7();
    const made = await service.create(key, BODY, { subject });
    await make(2);

    for (const spelling of [key, key.toUpperCase()]) {
      expect((await walk({ idempotencyKey: spelling })).ids).toEqual([made.body.id]);
    }
  });

  it.each([
    ['status', 'done'],
    ['status', 'queued,running'],
    ['sourceBatchId', 'a b'],
    ['sourceBatchId', ''],
    ['idempotencyKey', '..'],
    ['idempotencyKey', 'ä'],
  ])('refuse %s=%j', async (name, value) => {
    const answer = await list({ [name]: value });

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${name}` }] } });
    expect(proxy.count()).toBe(0);
  });
});

describe('the list of articles', () => {
  it('pages through all in the order of their IDs while others come and go', async () => {
    const put = (articleId: string) =>
      service.call('PUT /v1/articles/{articleId}', {
        subject,
        path: { articleId },
        headers: { 'content-type': 'application/json' },
        body: { title: articleId, markdown: 'text' },
      });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await put(id);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Answered = await service.call('GET /v1/articles', {
        subject,
        query: { limit: '2', ...(cursor && { cursor }) },
      });
      seen.push(...idsOf(page));
      cursor = page.body.cursor;
      await put('aa');
    }

    expect(seen).toEqual(ids);
  });
});
