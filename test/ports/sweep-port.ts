// The suite of the sweep's port: what is listed as due, and how it is put off.

import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { JobName } from '#export-jobs/job.ts';
import type { DueJob } from '#export-jobs/sweep-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import { plusMs } from '#idempotency/epoch.ts';
import { finishOf } from '#test/ports/job-end-cases.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import {
  after,
  claimedJob,
  DUE,
  leaseOf,
  NOW,
  newJob,
  READ,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

const QUEUED_DUE = after(DUE.queuedAfterMs);

async function due({ ports }: StoreBench, nowMs: EpochMs, limit = 100): Promise<readonly DueJob[]> {
  const read = await ports.sweep.listDueJobs({ nowMs, limit }, READ);
  if (read.kind !== 'found') throw new Error(`nothing could be listed: ${read.kind}`);
  return read.value;
}

const idsOf = (jobs: readonly JobName[]) => jobs.map(({ jobId }) => jobId);

export const SWEEP_SUITE: PortSuite<StoreBench> = {
  port: 'SweepPort',
  cases: {
    '1. lists a queued job once it is overdue, to the millisecond': async (on) => {
      const { owner, jobId } = await storedJob(on);

      expect(await due(on, QUEUED_DUE)).toEqual([]);
      expect(await due(on, plusMs(QUEUED_DUE, 1))).toEqual([{ owner, jobId, dueAtMs: QUEUED_DUE }]);
    },

    '1. lists a running job once its lease is over for long enough': async (on) => {
      const { job, fence, lease } = await claimedJob(on);
      const claimedDue = plusMs(lease.leaseUntilMs, DUE.leaseOverdueMs);
      const early = await due(on, claimedDue);
      const late = await due(on, plusMs(claimedDue, 1));
      const renewal = { leaseUntilMs: plusMs(lease.leaseUntilMs, 5), progressDone: 0 };
      await on.ports.leases.renewLease({ job, fence }, renewal, sending());

      expect([early, late].map(idsOf)).toEqual([[], [job.jobId]]);
      expect(await due(on, plusMs(claimedDue, 5))).toEqual([]);
      expect(idsOf(await due(on, plusMs(claimedDue, 6)))).toEqual([job.jobId]);
    },

    '1. lists a released job earlier than a held one': async (on) => {
      const { job, fence } = await claimedJob(on);
      await on.ports.leases.releaseLease({ job, fence }, after(1_000), sending());

      expect(await due(on, after(1_000 - 1 + DUE.leaseOverdueMs))).toEqual([]);
      expect(idsOf(await due(on, after(1_000 + DUE.leaseOverdueMs)))).toEqual([job.jobId]);
    },

    '1. lists the longest due first, wherever they are stored, at most so many': async (on) => {
      const ids: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        const jobId = v7({ msecs: after(n * 10) });
        ids.push((await storedJob(on, { jobId, createdAtMs: after(n * 10) })).jobId);
      }
      const nowMs = plusMs(QUEUED_DUE, 1_000);

      expect(idsOf(await due(on, nowMs))).toEqual(ids);
      expect(idsOf(await due(on, nowMs, 5))).toEqual(ids.slice(0, 5));
    },

    '2. lists no finished job, however it ended': async (on) => {
      const { leases } = on.ports;
      const queued = await storedJob(on);
      const { job, fence } = await claimedJob(on);
      const nobody = { held: { by: 'nobody' } } as const;
      await leases.finishIfHeld(finishOf(queued, nobody), sending());
      await leases.finishIfHeld(finishOf(job, { held: { by: 'fence', fence } }), sending());

      expect(await due(on, after(86_400_000))).toEqual([]);
    },

    '3. puts off what is still as it was seen': async (on) => {
      await storedJob(on);
      const nowMs = plusMs(QUEUED_DUE, 1);
      const [seen] = await due(on, nowMs);
      if (!seen) throw new Error('the job is due');

      await on.ports.sweep.putOff(seen, plusMs(nowMs, 1_000), READ);

      expect(await due(on, plusMs(nowMs, 1_000))).toEqual([]);
      expect(idsOf(await due(on, plusMs(nowMs, 1_001)))).toEqual([seen.jobId]);
    },

    '3. does not put off a job that moved meanwhile': async (on) => {
      const job = await storedJob(on);
      const [seen] = await due(on, plusMs(QUEUED_DUE, 1));
      if (!seen) throw new Error('the job is due');
      const lease = leaseOf();
      await on.ports.leases.claimLease(job, lease, sending());

      await on.ports.sweep.putOff(seen, after(86_400_000), READ);

      const claimedDue = plusMs(lease.leaseUntilMs, DUE.leaseOverdueMs);
      expect(idsOf(await due(on, plusMs(claimedDue, 1)))).toEqual([job.jobId]);
    },

    '3. brings no finished job back, and makes none that is not there': async (on) => {
      const job = await storedJob(on);
      const [seen] = await due(on, plusMs(QUEUED_DUE, 1));
      if (!seen) throw new Error('the job is due');
      await on.ports.leases.finishIfHeld(finishOf(job, { held: { by: 'nobody' } }), sending());
      const { owner, jobId } = newJob();

      await on.ports.sweep.putOff(seen, after(1), READ);
      await on.ports.sweep.putOff({ owner, jobId, dueAtMs: NOW }, after(1), READ);

      expect(await due(on, after(86_400_000))).toEqual([]);
      expect((await on.ports.jobs.readJob(owner, jobId, READ)).kind).toBe('none');
    },

    '4. fails when nothing is proven': async (on) => {
      await storedJob(on);
      const empty = on.faults.emptyReads();

      const listed = await on.ports.sweep.listDueJobs(
        { nowMs: plusMs(QUEUED_DUE, 1), limit: 10 },
        READ,
      );

      expect(empty.bitten()).toBeGreaterThan(0);
      expect(listed).toEqual({ kind: 'failed' });
    },

    '5. leaves a job due when putting it off comes to nothing, and throws nothing': async (on) => {
      const { jobId } = await storedJob(on);
      const nowMs = plusMs(QUEUED_DUE, 1);
      const [seen] = await due(on, nowMs);
      if (!seen) throw new Error('the job is due');

      const faults = [];
      for (const fault of [on.faults.loseRequest, () => on.faults.refuse('throttled')]) {
        faults.push(fault());
        await on.ports.sweep.putOff(seen, after(86_400_000), READ);
      }

      expect(faults.map((each) => each.bitten())).toEqual([1, 1]);
      expect(idsOf(await due(on, nowMs))).toEqual([jobId]);
    },
  },
};
