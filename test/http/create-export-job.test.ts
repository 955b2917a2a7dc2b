import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Service, startService } from '#test/support/service.ts';
import { itemsOf, jobsOf } from '#test/support/table-contents.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const BODY = { articleIds: ['a-1', 'a-2'], format: 'text' };

describe('POST /v1/export-jobs', () => {
  let service: Service;
  let proxy: WireProxy;

  beforeEach(async () => {
    const { database } = await startService();
    proxy = await startWireProxy(database.connection.endpoint);
    service = await startService({ database, endpoint: proxy.endpoint });
  });
  afterEach(async () => {
    service.close();
    await proxy.close();
  });

  it('plays the example of the articles: same key, one job; other key, another; other list, refused', async () => {
    const lost = await service.create('export-intent-7', BODY);
    const again = await service.create('export-intent-7', BODY);
    const other = await service.create('export-intent-8', BODY);
    const changed = await service.create('export-intent-7', { ...BODY, articleIds: ['a-9'] });

    expect([lost.status, again.status, other.status, changed.status]).toEqual([202, 202, 202, 422]);
    expect(again.body.id).toBe(lost.body.id);
    expect(other.body.id).not.toBe(lost.body.id);
    expect(changed.body).toMatchObject({
      code: 'idempotency-key-reused',
      executed: 'no',
      intent: 'committed',
      retry: 'new-key',
      idempotencyKey: 'export-intent-7',
      members: ['articleIds'],
      job: { id: lost.body.id, href: `/v1/export-jobs/${lost.body.id}` },
    });
    expect(await jobsOf(service.database)).toHaveLength(2);
  });

  it('replays status, Location, expiry and body byte for byte', async () => {
    const first = await service.create('k', BODY);
    const replay = await service.create('k', BODY);

    expect(first.headers['idempotent-replayed']).toBe('false');
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.text).toBe(first.text);
    expect(replay.headers.location).toBe(`/v1/export-jobs/${first.body.id}`);
    expect(replay.headers['idempotency-expires']).toBe(first.headers['idempotency-expires']);
    expect(first.body).toEqual({
      id: first.body.id,
      status: 'queued',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      keyExpiresAt: expect.any(String),
      links: { self: first.headers.location },
    });
    expect(Date.parse(first.headers['idempotency-expires'] ?? '')).toBe(
      Math.floor(Date.parse(first.body.keyExpiresAt) / 1000) * 1000,
    );
  });

  it('sends one request to DynamoDB for a create, one for a replay, one for a mismatch', async () => {
    await service.create('k', BODY);
    const afterCreate = proxy.count();
    await service.create('k', BODY);
    const afterReplay = proxy.count();
    await service.create('k', { ...BODY, format: 'epub' });

    expect([afterCreate, afterReplay, proxy.count()]).toEqual([1, 2, 3]);
  });

  it('answers an announced retry with one read and no write', async () => {
    const { database } = service;
    const environment = { READ_FIRST: 'on' };
    const reading = await startService({ database, endpoint: proxy.endpoint, environment });
    await reading.create('k', BODY);
    proxy.clear();

    const replay = await reading.create('k', BODY, { headers: { 'x-request-attempt': '2' } });
    reading.close();

    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(proxy.requests.map(({ target }) => target)).toEqual(['GetItem']);
  });

  it('costs 4 table units, 6 with a source batch; the index is counted apart', async () => {
    await service.create('k-1', BODY);
    await service.create('k-2', { ...BODY, sourceBatchId: 'batch-1' });

    const [plain, withBatch] = proxy.requests.map(({ response }) => unitsOf(response));
    expect(plain).toEqual({ table: 4, index: 2 });
    expect(withBatch).toEqual({ table: 6, index: 2 });
  });

  it('takes a key quoted as a structured field or bare: both are one key', async () => {
    const bare = await service.create('order-17', BODY);
    const quoted = await service.create('"order-17"', BODY);

    expect(quoted.text).toBe(bare.text);
    expect(quoted.headers['idempotent-replayed']).toBe('true');
  });

  it.each([
    ['absent', undefined, 'idempotency-key-missing'],
    ['empty', '', 'idempotency-key-invalid'],
    ['quoted and empty', '""', 'idempotency-key-invalid'],
    ['a dot', '.', 'idempotency-key-invalid'],
    ['two dots', '..', 'idempotency-key-invalid'],
    ['two header lines, joined', 'a,b', 'idempotency-key-invalid'],
    ['a space', 'a b', 'idempotency-key-invalid'],
    ['a parameter left over', '"a";p=1', 'idempotency-key-invalid'],
    ['a quote left over', '"a', 'idempotency-key-invalid'],
    ['an escape', '"a\\"b"', 'idempotency-key-invalid'],
    ['non-ASCII', 'schlüssel', 'idempotency-key-invalid'],
    ['a control character', 'a\u0000b', 'idempotency-key-invalid'],
    ['a line break', 'a\n', 'idempotency-key-invalid'],
    ['256 characters', 'k'.repeat(256), 'idempotency-key-invalid'],
  ])('refuses a key that is %s, and touches no table', async (_, key, code) => {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const answer = await service.call('POST /v1/export-jobs', { body: BODY, headers });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code,
      executed: 'no',
      intent: 'unknown',
      retry: 'new-key',
    });
    expect(proxy.count()).toBe(0);
  });

  it('takes a key of 255 characters', async () => {
    expect((await service.create('k'.repeat(255), BODY)).status).toBe(202);
  });

  it('gives two principals with the same key a job each', async () => {
    const alice = await service.create('k', BODY, { subject: 'alice' });
    const bob = await service.create('k', BODY, { subject: 'bob' });

    expect(bob.headers['idempotent-replayed']).toBe('false');
    expect(bob.body.id).not.toBe(alice.body.id);
    expect(new Set((await jobsOf(service.database)).map(({ owner }) => owner)).size).toBe(2);
  });

  it('makes one job of 50 attempts at once under one key', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.create('k', BODY)));

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(202));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const made = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'false');
    expect(made).toHaveLength(1);
    expect(await jobsOf(service.database)).toHaveLength(1);
  });

  it('makes one job of 50 keys for one source batch; the others name it', async () => {
    const body = { ...BODY, sourceBatchId: 'batch-7' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => service.create(`k-${n}`, body)),
    );

    const [made, ...more] = answers.filter(({ status }) => status === 202);
    expect(more).toEqual([]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(49);
    for (const { body: problem } of refused) {
      expect(problem).toMatchObject({
        code: 'source-batch-taken',
        executed: 'no',
        retry: 'no',
        job: { id: made?.body.id },
      });
    }
    expect(await itemsOf(service.database, 'BusinessKeys')).toHaveLength(1);
    expect(await itemsOf(service.database, 'IdempotencyKeys')).toHaveLength(1);
  });

  it('leaves the key free when a source batch is taken', async () => {
    await service.create('k-1', { ...BODY, sourceBatchId: 'batch' });
    const refused = await service.create('k-2', { ...BODY, sourceBatchId: 'batch' });
    const corrected = await service.create('k-2', BODY);

    expect([refused.status, corrected.status]).toEqual([409, 202]);
    expect(corrected.headers['idempotent-replayed']).toBe('false');
  });

  it('replays under its own key before it looks at the source batch', async () => {
    const body = { ...BODY, sourceBatchId: 'batch' };
    const first = await service.create('k', body);
    const again = await service.create('k', body);

    expect(again.text).toBe(first.text);
  });

  it('writes the TTL as whole seconds, window and grace after the commit', async () => {
    await service.create('k', BODY);

    const [record] = await itemsOf(service.database, 'IdempotencyKeys');
    const dayMs = 86_400_000;
    expect(record?.expiresAtMs).toBe(record?.committedAtMs + dayMs);
    expect(record?.purgeAtSeconds).toBe(Math.ceil((record?.committedAtMs + 2 * dayMs) / 1000));
    expect(record).not.toHaveProperty('key');
    expect(JSON.stringify(record)).not.toContain('a-1');
  });

  it('keeps 500 long article IDs in an item of their own', async () => {
    const articleIds = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(128, 'x'));
    const answer = await service.create('k', { articleIds, format: 'json' });

    expect(answer.status).toBe(202);
    const items = await itemsOf(service.database, 'ExportJobs');
    const [job] = await jobsOf(service.database);
    expect(items).toHaveLength(2);
    expect(job).not.toHaveProperty('articleIds');
    expect(items.find(({ owner }) => owner === `${job?.owner}#request`)?.articleIds).toEqual(
      articleIds,
    );
  });

  it.each([
    ['an unknown member', { ...BODY, urgent: true }, '/urgent'],
    ['no articles', { ...BODY, articleIds: [] }, '/articleIds'],
    ['an ID twice', { ...BODY, articleIds: ['a', 'a'] }, '/articleIds'],
    ['an ID outside the grammar', { ...BODY, articleIds: ['a/b'] }, '/articleIds/0'],
    [
      '501 articles',
      { ...BODY, articleIds: Array.from({ length: 501 }, (_, n) => `a-${n}`) },
      '/articleIds',
    ],
    ['a format that is not known', { ...BODY, format: 'pdf' }, '/format'],
    ['an empty title', { ...BODY, title: '' }, '/title'],
    ['a title of 201 characters', { ...BODY, title: '字'.repeat(201) }, '/title'],
    ['a language that is no tag', { ...BODY, language: 'not a tag' }, '/language'],
    ['a body that is null', null, ''],
    ['a body that is a list', [BODY], ''],
  ])('refuses %s and writes nothing', async (_, body, pointer) => {
    const answer = await service.create('k', body);

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'validation-failed',
      executed: 'no',
      retry: 'same-key',
      errors: [{ pointer }],
    });
    expect(proxy.requests.map(({ target }) => target)).toEqual(['GetItem']);
    expect(await jobsOf(service.database)).toEqual([]);
  });

  it('takes a title of 200 characters of any script', async () => {
    expect((await service.create('k', { ...BODY, title: '𝒳'.repeat(200) })).status).toBe(202);
  });
});

function unitsOf(response: { ConsumedCapacity: ConsumedCapacity[] }) {
  const sum = (part: 'Table' | 'GlobalSecondaryIndexes') =>
    response.ConsumedCapacity.flatMap((each) =>
      part === 'Table' ? [each.Table] : Object.values(each.GlobalSecondaryIndexes ?? {}),
    ).reduce((total, each) => total + (each?.CapacityUnits ?? 0), 0);
  return { table: sum('Table'), index: sum('GlobalSecondaryIndexes') };
}
type Units = { CapacityUnits: number };
type ConsumedCapacity = { Table?: Units; GlobalSecondaryIndexes?: Record<string, Units> };
