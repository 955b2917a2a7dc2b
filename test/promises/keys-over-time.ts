// What time does to a key and to an attempt: windows that end, clocks that disagree, patience that is used up.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { PromiseBench } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import { itemsOf } from '#test/support/table-contents.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const TIMES = {
  RETENTION_SCHEDULE: '[{"from":"2026-01-01T00:00:00Z","window":"PT2H","grace":"PT3H"}]',
  RETENTION_RESERVE: 'PT15M',
};

/** The same service with windows of hours, as seen at an instant. */
const at = ({ serviceWith }: PromiseBench, nowMs: number, more = {}) =>
  serviceWith({ environment: { ...TIMES, ...more }, world: { nowMs: () => nowMs } });

/** What TTL does some time after the purge instant. */
async function purgeRecordOf({ database }: PromiseBench, jobId: string): Promise<void> {
  const records = await itemsOf(database, 'IdempotencyKeys');
  const mine = records.filter((record) => Object.values(record).includes(jobId));
  expect(mine).toHaveLength(1);
  for (const { pk } of mine) {
    const Key = { pk: { S: pk } };
    await database.client.send(new DeleteItemCommand({ TableName: 'IdempotencyKeys', Key }));
  }
}

export const KEYS_OVER_TIME: readonly PromiseRow[] = [
  {
    situation: 'a key past its window, while its record is stored',
    answer: '412 `idempotency-key-expired`: it names the job',
    async play(bench) {
      const nowMs = Date.now();
      const made = await bench.create({}, await at(bench, nowMs));

      const late = await bench.create({}, await at(bench, nowMs + 2 * HOUR_MS));

      expect(late.body).toMatchObject({
        executed: 'no',
        intent: 'committed',
        job: { id: made.body.id },
      });
      expect(await bench.jobsUnder(bench.key)).toHaveLength(1);
      return [late];
    },
  },
  {
    situation: 'a time-stamped key past its window, its record gone',
    answer: '412 `idempotency-key-expired`, for ever: never a second job',
    async play(bench) {
      const nowMs = Date.now();
      const key = v7({ msecs: nowMs });
      const made = await bench.create({ key }, await at(bench, nowMs));
      await purgeRecordOf(bench, made.body.id);

      const late = await bench.create({ key }, await at(bench, nowMs + 6 * HOUR_MS));
      const years = await bench.create({ key }, await at(bench, nowMs + 30_000 * HOUR_MS));

      expect(late.body).toMatchObject({ executed: 'no', intent: 'unknown' });
      expect(await bench.jobsUnder(key)).toHaveLength(1);
      return [late, years];
    },
  },
  {
    situation: 'an opaque key whose record is gone',
    answer: '202: a new intent, a new job',
    async play(bench) {
      const nowMs = Date.now();
      const made = await bench.create({}, await at(bench, nowMs));
      await purgeRecordOf(bench, made.body.id);

      const again = await bench.create({}, await at(bench, nowMs + 6 * HOUR_MS));

      expect(again.headers['idempotent-replayed']).toBe('false');
      expect(again.body.id).not.toBe(made.body.id);
      return [again];
    },
  },
  {
    situation: 'a key that was minted more than five minutes ahead of our clock',
    answer: '400 `idempotency-key-in-future` with `serverTime`',
    async play(bench) {
      const nowMs = Date.now();
      const service = await at(bench, nowMs);

      const ahead = await bench.create({ key: v7({ msecs: nowMs + 5 * MINUTE_MS + 1 }) }, service);
      const taken = await bench.create({ key: v7({ msecs: nowMs + 5 * MINUTE_MS }) }, service);

      expect(ahead.body).toMatchObject({
        executed: 'no',
        retry: 'same-key',
        serverTime: new Date(nowMs).toISOString(),
      });
      expect(taken.status).toBe(202);
      return [ahead];
    },
  },
  {
    situation: 'a time-stamped key minted before the floor that operators set after a restore',
    answer: '412 `idempotency-key-expired`',
    async play(bench) {
      const floorMs = Date.now() - MINUTE_MS;
      const ADMIT_NOT_BEFORE = new Date(floorMs).toISOString();
      const service = await at(bench, Date.now(), { ADMIT_NOT_BEFORE });

      const below = await bench.create({ key: v7({ msecs: floorMs - 1 }) }, service);
      const above = await bench.create({ key: v7({ msecs: floorMs }) }, service);

      expect(below.body.executed).toBe('no');
      expect(above.status).toBe(202);
      return [below];
    },
  },
  {
    situation: "the caller's time is used up before a write was sent",
    answer: '504 `deadline-passed`; nothing is sent',
    async play({ create, proxy }) {
      const headers = { 'x-request-deadline': new Date(Date.now() - 1).toISOString() };

      const late = await create({ headers });

      expect(late.body).toMatchObject({ executed: 'no', retry: 'same-key' });
      expect(proxy.count()).toBe(0);
      return [late];
    },
  },
  {
    situation: 'a malformed time header',
    answer: '400 `deadline-invalid`',
    async play({ create, proxy }) {
      const timeout = await create({ headers: { 'x-request-timeout-ms': 'soon' } });
      const deadline = await create({ headers: { 'x-request-deadline': 'tomorrow' } });

      expect(proxy.count()).toBe(0);
      return [timeout, deadline];
    },
  },
  {
    situation: "our clock and the gateway's are more than a minute apart",
    answer: '503 `clock-untrusted`; no table is touched',
    async play(bench) {
      const nowMs = Date.now();
      const service = await at(bench, nowMs);

      const ahead = await bench.create({ timeEpoch: nowMs + MINUTE_MS + 1 }, service);
      const behind = await bench.create({ timeEpoch: nowMs - MINUTE_MS - 1 }, service);

      expect(ahead.body.executed).toBe('no');
      expect(Number(ahead.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(bench.proxy.count()).toBe(0);
      return [ahead, behind];
    },
  },
];
