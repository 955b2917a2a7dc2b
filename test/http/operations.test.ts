// Looking up and abandoning an intent: all bounds in pairs, on the real DynamoDB Local.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '#test/support/service.ts';
import { itemsOf, jobsOf } from '#test/support/table-contents.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const LOOK_UP = 'GET /v1/operations/{key}';
const ABANDON = 'POST /v1/operations/{key}/abandon';
const HOUR_MS = 3_600_000;
const R = 2 * HOUR_MS;
const G = 3 * HOUR_MS;
const RESERVE = HOUR_MS / 4;
// The present hour: DynamoDB Local's TTL removes what was purged by the real clock.
const MINTED = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

describe('operations', () => {
  let service: Service;
  let nowMs = MINTED;
  const go = (ms: number) => {
    nowMs = ms;
  };

  beforeAll(async () => {
    service = await startService({
      world: { nowMs: () => nowMs },
      environment: {
        RETENTION_SCHEDULE: '[{"from":"2026-01-01T00:00:00Z","window":"PT2H","grace":"PT3H"}]',
        RETENTION_RESERVE: 'PT15M',
      },
    });
  });
  afterAll(() => service.close());

  const stamped = () => v7({ msecs: MINTED });
  const lookUp = (key: string) => service.call(LOOK_UP, { path: { key } });
  const abandon = (key: string) => service.call(ABANDON, { path: { key } });
  const recordsOf = async (attempt: () => Promise<unknown>) => {
    const before = new Set(
      (await itemsOf(service.database, 'IdempotencyKeys')).map(({ pk }) => pk),
    );
    await attempt();
    const after = await itemsOf(service.database, 'IdempotencyKeys');
    return after.filter(({ pk }) => !before.has(pk));
  };
  const removeRecordsOf = async (attempt: () => Promise<unknown>) => {
    for (const { pk } of await recordsOf(attempt)) {
      await service.database.client.send(
        new DeleteItemCommand({ TableName: 'IdempotencyKeys', Key: { pk: { S: pk } } }),
      );
    }
  };

  it('say committed, with the job, while the record is stored; expired from its end on', async () => {
    go(MINTED + 1000);
    const key = stamped();
    const made = await service.create(key, BODY);
    const expected = {
      key,
      state: 'committed',
      job: { id: made.body.id, href: `/v1/export-jobs/${made.body.id}` },
      committedAt: iso(MINTED + 1000),
      expiresAt: iso(MINTED + R),
    };

    go(MINTED + R - 1);
    expect((await lookUp(key)).body).toEqual({ ...expected, expired: false });
    go(MINTED + R);
    expect((await lookUp(key.toUpperCase())).body).toEqual({ ...expected, expired: true });
  });

  it('say of a time-stamped key with nothing recorded when that is definitive, to the millisecond', async () => {
    const key = stamped();
    const definitiveAt = async (ms: number) => {
      go(ms);
      const answer = await lookUp(key);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        code: 'operation-not-found',
        admissibleUntil: iso(MINTED + R),
        definitiveFrom: iso(MINTED + R + RESERVE),
        definitiveUntil: iso(MINTED + R + G - RESERVE),
      });
      return answer.body.definitive;
    };

    expect(await definitiveAt(MINTED)).toBe(false);
    expect(await definitiveAt(MINTED + R)).toBe(false);
    expect(await definitiveAt(MINTED + R + RESERVE - 1)).toBe(false);
    expect(await definitiveAt(MINTED + R + RESERVE)).toBe(true);
    expect(await definitiveAt(MINTED + R + G - RESERVE - 1)).toBe(true);
    expect(await definitiveAt(MINTED + R + G - RESERVE)).toBe(false);
  });

  it('never are definitive for an opaque key, and name no instants', async () => {
    go(MINTED + R + RESERVE);
    const answer = await lookUp('never-sent');

    expect(answer.body).toMatchObject({ code: 'operation-not-found', definitive: false });
    expect(answer.body).not.toHaveProperty('definitiveFrom');
    expect(answer.body).not.toHaveProperty('executed');
  });

  it("do not show another caller's intent", async () => {
    go(MINTED);
    const key = stamped();
    await service.create(key, BODY, { subject: 'alice' });
    const mine = await service.call(LOOK_UP, { path: { key }, subject: 'bob' });
    const absent = await service.call(LOOK_UP, { path: { key: 'absent-opaque' }, subject: 'bob' });

    expect(mine.status).toBe(404);
    expect(Object.keys(absent.body)).toEqual(
      Object.keys(mine.body).filter((name) => !/^(admissible|definitive.)/.test(name)),
    );
  });

  it.each(['', '..', 'a b', 'a,b', 'ä', 'k'.repeat(256)])('refuse the key %j', async (key) => {
    expect((await lookUp(key)).body.code).toBe('idempotency-key-invalid');
    expect((await abandon(key)).body).toMatchObject({
      code: 'idempotency-key-invalid',
      executed: 'no',
    });
  });

  it('abandon an intent for good: the create that comes after is refused', async () => {
    go(MINTED + 1000);
    const key = stamped();

    const done = await abandon(key);
    const again = await abandon(key);
    const late = await service.create(key, BODY);

    expect(done.status).toBe(200);
    expect(done.body).toEqual({
      key,
      state: 'abandoned',
      expired: false,
      committedAt: iso(MINTED + 1000),
      expiresAt: iso(MINTED + R),
      executed: 'no',
    });
    expect(again.text).toBe(done.text);
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'operation-abandoned',
      executed: 'no',
      intent: 'abandoned',
      retry: 'new-key',
    });
    expect((await jobsOf(service.database)).filter((job) => job.idempotencyKey === key)).toEqual(
      [],
    );
    expect((await lookUp(key)).body).toMatchObject({ state: 'abandoned', expired: false });
    go(MINTED + R);
    expect((await service.create(key, BODY)).body.code).toBe('operation-abandoned');
  });

  it('come too late for an executed intent, and name its job', async () => {
    go(MINTED + 1000);
    const key = stamped();
    const made = await service.create(key, BODY);

    for (const ms of [MINTED + 1000, MINTED + R - 1, MINTED + R]) {
      go(ms);
      const late = await abandon(key);
      expect(late.status).toBe(409);
      expect(late.body).toMatchObject({
        code: 'operation-committed',
        executed: 'no',
        intent: 'committed',
        retry: 'no',
        idempotencyKey: key,
        job: { id: made.body.id },
      });
    }
  });

  it.each([
    ['just before', -1, 'no'],
    ['at', 0, 'unknown'],
  ])(
    'say %s the end of certainty whether the intent may have been executed',
    async (_, ms, executed) => {
      go(MINTED + R + G - RESERVE + ms);
      const key = stamped();

      const done = await abandon(key);

      expect(done.status).toBe(200);
      expect(done.body).toMatchObject({ executed, expired: true, expiresAt: iso(MINTED + R) });
    },
  );

  it('keep an abandonment for the grace after now, however late it is made', async () => {
    go(MINTED + 10 * HOUR_MS);
    const [record] = await recordsOf(() => abandon(stamped()));

    expect(record?.purgeAtSeconds).toBe((MINTED + 13 * HOUR_MS) / 1000);
  });

  it('renew an abandonment that is past its expiry, by one conditional update', async () => {
    go(MINTED);
    const key = 'opaque-and-given-up';
    const [first] = await recordsOf(() => abandon(key));
    go(MINTED + R - 1);
    await abandon(key);
    const unchanged = (await itemsOf(service.database, 'IdempotencyKeys')).find(
      ({ pk }) => pk === first?.pk,
    );
    go(MINTED + R);
    const renewed = await abandon(key);
    const stored = (await itemsOf(service.database, 'IdempotencyKeys')).find(
      ({ pk }) => pk === first?.pk,
    );

    expect(unchanged).toEqual(first);
    expect(renewed.body).toMatchObject({
      expired: false,
      committedAt: iso(MINTED),
      expiresAt: iso(MINTED + 2 * R),
      executed: 'no',
    });
    expect(stored?.purgeAtSeconds).toBe((MINTED + 2 * R + G) / 1000);
    expect((await service.create(key, BODY)).body.code).toBe('operation-abandoned');
  });

  it('find a job by its key when the record is gone, also when the clock of the caller was ahead', async () => {
    go(MINTED - 2_000);
    const key = stamped();
    const batch = 'a batch that is no key'.replaceAll(' ', '-');
    let id = '';
    await removeRecordsOf(async () => {
      id = (await service.create(key, { ...BODY, sourceBatchId: batch })).body.id;
    });
    go(MINTED + R + G + 30 * 60_000);

    const byKey = await service.call('GET /v1/export-jobs', { query: { idempotencyKey: key } });
    const byBatch = await service.call('GET /v1/export-jobs', { query: { sourceBatchId: batch } });
    const other = await service.call('GET /v1/export-jobs', {
      query: { idempotencyKey: key },
      subject: 'bob',
    });

    expect(byKey.body.items.map((job: { id: string }) => job.id)).toEqual([id]);
    expect(byBatch.body.items.map((job: { id: string }) => job.id)).toEqual([id]);
    expect(other.body).toEqual({ items: [] });
    const refused = await service.create(key, { ...BODY, sourceBatchId: batch });
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({ intent: 'committed', job: { id } });
  });

  it('find the job of an opaque key by paging over the whole list', async () => {
    go(MINTED);
    const key = 'opaque-to-be-found';
    const made = await service.create(key, BODY);
    go(MINTED + HOUR_MS);
    for (let n = 0; n < 3; n += 1) await service.create(`later-${n}`, BODY);

    const found = await service.call('GET /v1/export-jobs', { query: { idempotencyKey: key } });

    expect(found.body.items).toHaveLength(1);
    expect(found.body.items[0].id).toBe(made.body.id);
  });
});

describe('keys over time', () => {
  const at = async (nowMs: { value: number }) =>
    startService({
      world: { nowMs: () => nowMs.value },
      environment: {
        RETENTION_SCHEDULE: '[{"from":"2026-01-01T00:00:00Z","window":"PT2H","grace":"PT3H"}]',
      },
    });

  it('are replayed until the window ends and refused from then on, naming the job', async () => {
    const now = { value: MINTED };
    const service = await at(now);
    for (const key of [v7({ msecs: MINTED }), 'opaque']) {
      now.value = MINTED;
      const made = await service.create(key, BODY);
      now.value = MINTED + R - 1;
      expect((await service.create(key, BODY)).text).toBe(made.text);
      now.value = MINTED + R;
      const expired = await service.create(key, BODY);
      expect(expired.status).toBe(412);
      expect(expired.body).toMatchObject({
        code: 'idempotency-key-expired',
        executed: 'no',
        intent: 'committed',
        retry: 'no',
        job: { id: made.body.id },
      });
      const changed = await service.create(key, { ...BODY, format: 'epub' });
      expect(changed.status).toBe(412);
    }
    expect(await jobsOf(service.database)).toHaveLength(2);
    service.close();
  });

  it('of a time that is past are refused without a record, and executed a millisecond before', async () => {
    const now = { value: MINTED + R };
    const service = await at(now);

    const late = await service.create(v7({ msecs: MINTED }), BODY);
    const floor = await service.create(v7({ msecs: MINTED + 1 }), BODY);

    expect(late.body).toMatchObject({ code: 'idempotency-key-expired', intent: 'unknown' });
    expect(late.body).not.toHaveProperty('job');
    expect(floor.status).toBe(202);
    service.close();
  });

  it('of the future are refused with the time of the server, to the millisecond', async () => {
    const now = { value: MINTED };
    const service = await at(now);
    const fiveMin = 300_000;

    const early = await service.create(v7({ msecs: MINTED + fiveMin + 1 }), BODY);
    const soon = await service.create(v7({ msecs: MINTED + fiveMin }), BODY);

    expect(early.status).toBe(400);
    expect(early.body).toMatchObject({
      code: 'idempotency-key-in-future',
      executed: 'no',
      serverTime: iso(MINTED),
      retry: 'same-key',
    });
    expect(Number(early.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(soon.status).toBe(202);
    service.close();
  });

  it('below the floor set after a restore are refused; opaque ones are not', async () => {
    const service = await startService({
      world: { nowMs: () => MINTED },
      environment: { ADMIT_NOT_BEFORE: iso(MINTED - 1000) },
    });

    const below = await service.create(v7({ msecs: MINTED - 1001 }), BODY);
    const above = await service.create(v7({ msecs: MINTED - 1000 }), BODY);
    const opaque = await service.create('opaque', BODY);

    expect([below.status, above.status, opaque.status]).toEqual([412, 202, 202]);
    service.close();
  });
});
