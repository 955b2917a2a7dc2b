// What is due in the simulated store: jobs for the sweep, notifications and records for the measure of the
// backlog.

import type { BacklogPort } from '#export-jobs/backlog-port.ts';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import { isUnfinished, jobKey } from '#test/support/simulated/tables.ts';

type Parts = Pick<SimulatedStore, 'tables' | 'travel'>;

/** Records of a sample. */
const SAMPLE_MAX = 100;

export function simulatedSweep({ tables, travel }: Parts): SweepPort {
  return {
    listDueJobs: ({ nowMs, limit }) =>
      travel.page(() =>
        tables.jobs
          .entries()
          .map(([, stored]) => stored)
          .filter((stored) => isUnfinished(stored) && stored.dueAtMs < nowMs)
          .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
          .slice(0, limit)
          .map(({ job: { owner, jobId }, dueAtMs }) => ({
            owner,
            jobId,
            dueAtMs: epochMs(dueAtMs),
          })),
      ),

    async putOff(due, untilMs, { timeoutMs }) {
      await travel.write(
        { token: 'put-off', maySend: () => true, afterUnknown: false, timeoutMs },
        () => {
          const stored = tables.jobs.get(jobKey(due));
          if (!stored || !isUnfinished(stored) || stored.dueAtMs !== due.dueAtMs) return;
          tables.jobs.set(jobKey(due), { ...stored, dueAtMs: untilMs });
        },
      );
    },
  };
}

export function simulatedBacklog({ tables, travel }: Parts): BacklogPort {
  return {
    oldestDueNotification: (nowMs) =>
      travel.get({ consistent: true }, (): EpochMs | undefined => {
        const overdue = tables.outbox
          .entries()
          .flatMap(([, { dueAtMs }]) => (dueAtMs !== undefined && dueAtMs < nowMs ? dueAtMs : []));
        return overdue.length > 0 ? epochMs(Math.min(...overdue)) : undefined;
      }),

    samplePurgeTimes: (random) =>
      travel.page(() => {
        const all = tables.records.entries().map(([, { record }]) => record.purgeAtSeconds);
        const from = Math.floor(random * all.length);
        return all.slice(from, from + SAMPLE_MAX);
      }),
  };
}
