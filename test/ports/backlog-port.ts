// The suite of the backlog's port: what is overdue, and a sample of the records.

import { expect } from 'vitest';
import { plusMs } from '#idempotency/epoch.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import {
  abandonedRecord,
  after,
  NOW,
  READ,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

/** Places in [0, 1), close enough to meet every record. */
const PLACES = 1_000;

/** The purge times of every sample, and how many the largest had. */
async function sampled({ ports }: StoreBench) {
  const found: number[] = [];
  let largest = 0;
  for (let place = 0; place < PLACES; place += 1) {
    const read = await ports.backlog.samplePurgeTimes(place / PLACES, READ);
    if (read.kind !== 'found') throw new Error(`a sample could not be read: ${read.kind}`);
    found.push(...read.value);
    largest = Math.max(largest, read.value.length);
  }
  return { found: new Set(found), largest };
}

async function recordsPurgedAt(on: StoreBench, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const record = abandonedRecord();
    const purgeAtSeconds = (record.purgeAtSeconds + n) as typeof record.purgeAtSeconds;
    await on.ports.records.putAbandoned({ ...record, purgeAtSeconds }, sending());
    times.push(purgeAtSeconds);
  }
  return times;
}

export const BACKLOG_SUITE: PortSuite<StoreBench> = {
  port: 'BacklogPort',
  cases: {
    '1. tells the longest overdue, wherever it is stored': async (on) => {
      // Each is older than those before it, and lies beside them, whichever place comes first.
      for (const ms of [40, 33, 26, 19, 12]) {
        await on.owe({ jobId: `job-${ms}`, dueAtMs: NOW + ms });

        const oldest = await on.ports.backlog.oldestDueNotification(after(50), READ);

        expect(oldest).toEqual({ kind: 'found', value: after(ms) });
      }
    },

    '1. tells what was due before now, to the millisecond, and none when nothing was': async (
      on,
    ) => {
      const { backlog } = on.ports;
      await on.owe({ jobId: 'job', dueAtMs: NOW });

      expect(await backlog.oldestDueNotification(NOW, READ)).toEqual({ kind: 'none' });
      expect(await backlog.oldestDueNotification(after(1), READ)).toEqual({
        kind: 'found',
        value: NOW,
      });
    },

    '2. meets every record at some place, and takes a hundred at most': async (on) => {
      const times = await recordsPurgedAt(on, 30);

      const { found, largest } = await sampled(on);

      expect([...found].toSorted()).toEqual([...times].toSorted());
      expect(largest).toBeLessThanOrEqual(100);
    },

    '3. fails when nothing is proven': async (on) => {
      await on.owe({ jobId: 'job', dueAtMs: NOW });
      await recordsPurgedAt(on, 1);
      const empty = on.faults.emptyReads();

      const reads = [
        await on.ports.backlog.oldestDueNotification(plusMs(NOW, 1), READ),
        await on.ports.backlog.samplePurgeTimes(0, READ),
      ];

      expect(empty.bitten()).toBeGreaterThan(1);
      expect(reads).toEqual([{ kind: 'failed' }, { kind: 'failed' }]);
    },

    '4. sends no write': async (on) => {
      await storedJob(on);
      await on.owe({ jobId: 'job', dueAtMs: NOW });
      const before = on.faults.writes();
      const rows = await on.outbox();

      await on.ports.backlog.oldestDueNotification(after(1), READ);
      await on.ports.backlog.samplePurgeTimes(0.5, READ);

      expect(on.faults.writes()).toBe(before);
      expect(await on.outbox()).toEqual(rows);
    },
  },
};
