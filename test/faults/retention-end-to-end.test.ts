// Retention on the real stack, with windows of seconds and DynamoDB Local's own TTL: the promises in the
// order in which time makes them true.

import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type Caller, callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { itemsOf, jobsOf } from '#test/support/table-contents.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
/** TTL of DynamoDB Local takes seconds, on a busy machine more. */
const TTL_MS_MAX = 90_000;

// Windows of seconds are real time: a machine that stalls for one misses them, and tries again.
describe('retention of three seconds', { retry: 2 }, () => {
  let database: Database;
  let stack: RunningStack;
  let caller: Caller;

  beforeAll(async () => {
    database = await freshDatabase();
    const { AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_ENDPOINT = '', ...env } = database.environment();
    stack = await startStack({
      env: {
        ...env,
        DYNAMODB_ENDPOINT,
        RETENTION_SCHEDULE: '[{"from":"2026-01-01T00:00:00Z","window":"PT3S","grace":"PT3S"}]',
        RETENTION_RESERVE: 'PT1S',
      },
    });
    caller = await callerOf(stack, 'alice');
    // The first call loads the functions; the windows below are short.
    await caller.create('warm-up', BODY);
    await caller.send('GET', '/v1/operations/warm-up');
  });
  afterAll(async () => stack?.stop());

  const until = async (ms: number) => pause(Math.max(0, ms - Date.now()));
  const untilPurged = async (jobId: string) => {
    const deadline = Date.now() + TTL_MS_MAX;
    while ((await itemsOf(database, 'IdempotencyKeys')).some((item) => item.jobId === jobId)) {
      if (Date.now() > deadline) throw new Error('TTL has not removed the record');
      await pause(500);
    }
  };
  const lookUp = (key: string) => caller.send('GET', `/v1/operations/${key}`);

  it('replays at 2 s, names the job at 4 s, and refuses a time-stamped key for ever', async () => {
    const minted = Date.now();
    const key = v7({ msecs: minted });
    const made = await caller.create(key, BODY);
    expect(made.status).toBe(202);

    await until(minted + 2_000);
    const replay = await caller.create(key, BODY);
    await until(minted + 4_000);
    const expired = await caller.create(key, BODY);
    await untilPurged(made.body.id);
    const late = await caller.create(key, BODY);
    const found = await caller.send('GET', `/v1/export-jobs?idempotencyKey=${key}`);

    expect(replay.text).toBe(made.text);
    expect(expired.status).toBe(412);
    expect(expired.body).toMatchObject({ intent: 'committed', job: { id: made.body.id } });
    expect(late.status).toBe(412);
    expect(late.body).toMatchObject({ code: 'idempotency-key-expired', intent: 'unknown' });
    expect(found.body.items.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
    const made2 = (await jobsOf(database)).filter((job) => job.idempotencyKey === key);
    expect(made2).toHaveLength(1);
  });

  it('takes an opaque key as new once its record is gone', async () => {
    const made = await caller.create('opaque-7', BODY);
    await untilPurged(made.body.id);

    const again = await caller.create('opaque-7', BODY);

    expect(again.status).toBe(202);
    expect(again.headers.get('idempotent-replayed')).toBe('false');
    expect(again.body.id).not.toBe(made.body.id);
  });

  it('is definitive about an empty look-up from 4 s to 5 s, and neither before nor after', async () => {
    const minted = Date.now();
    const key = v7({ msecs: minted });

    const early = await lookUp(key);
    await until(minted + 4_000);
    const sure = await lookUp(key);
    await until(minted + 5_000);
    const over = await lookUp(key);

    expect([early, sure, over].map(({ body }) => body.definitive)).toEqual([false, true, false]);
  });

  it('refuses a create for ever once its key was abandoned past the window', async () => {
    const minted = Date.now();
    const key = v7({ msecs: minted });
    await until(minted + 4_000);

    const abandoned = await caller.send('POST', `/v1/operations/${key}/abandon`);
    const create = await caller.create(key, BODY);

    expect(abandoned.body).toMatchObject({ state: 'abandoned', expired: true });
    expect(create.body).toMatchObject({ code: 'operation-abandoned' });
  });
});
