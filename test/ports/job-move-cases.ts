// The moves of a job as effects: from each status, each write of the lease port that belongs to a move either
// takes the job where the move leads, or leaves it as it was.

import { expect } from 'vitest';
import { JOB_STATUSES, type JobStatus } from '#contract/export-job.ts';
import { JOB_MOVES, type Job, type JobMove } from '#export-jobs/job.ts';
import type { HeldEnd, HeldJob, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import { finishOf } from '#test/ports/job-end-cases.ts';
import type { Cases } from '#test/ports/port-suite.ts';
import {
  after,
  claimedJob,
  jobAsRead,
  leaseOf,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

const NOBODY = { by: 'nobody' } as const;
const LEASE_IS_OVER = after(600_000);
const ENDS = {
  succeeded: { status: 'succeeded', file: { bytes: 12, sha256: 'ab' } },
  failed: { status: 'failed', error: { code: 'runs-exhausted', detail: 'five' } },
  cancelled: { status: 'cancelled' },
} as const;

/** The write of a move, by whoever held the job last. */
function writeOf(move: JobMove, leases: JobLeasePort, { job, fence }: HeldJob): Promise<unknown> {
  const finish = (ended: HeldEnd) => leases.finishIfHeld(finishOf(job, ended), sending());
  const held = { by: 'fence', fence } as const;
  switch (move) {
    case 'claim':
      return leases.claimLease(job, leaseOf({ nowMs: LEASE_IS_OVER }), sending());
    case 'renew': {
      const renewal = { leaseUntilMs: after(90_000), progressDone: 1 };
      return leases.renewLease({ job, fence }, renewal, sending());
    }
    case 'release':
      return leases.releaseLease({ job, fence }, after(1_000), sending());
    case 'requestCancel':
      return leases.requestCancel(job, sending());
    case 'cancelQueued':
      return finish({ held: NOBODY, end: ENDS.cancelled });
    case 'succeed':
      return finish({ held, end: ENDS.succeeded });
    case 'fail':
      return finish({ held, end: ENDS.failed });
    case 'cancelRunning':
      return finish({ held, end: ENDS.cancelled });
  }
}

/** A job of a status, and the fence of whoever holds it or held it last. */
async function jobOf(on: StoreBench, status: JobStatus): Promise<HeldJob> {
  if (status === 'queued') {
    return { job: await storedJob(on), fence: { run: 0, leaseId: 'nobody' } };
  }
  const { job, fence } = await claimedJob(on);
  if (status === 'running') return { job, fence };
  const ended = { held: { by: 'fence', fence }, end: ENDS[status] } as const;
  await on.ports.leases.finishIfHeld(finishOf(job, ended), sending());
  return { job, fence };
}

const moves = Object.keys(JOB_MOVES).filter((move): move is JobMove => move in JOB_MOVES);

export const JOB_MOVE_CASES: Cases<StoreBench> = {
  '3. moves a job from where its moves start to where they lead, and from nowhere else': async (
    on,
  ) => {
    for (const status of JOB_STATUSES) {
      for (const move of moves) {
        const held = await jobOf(on, status);
        const before: Job = await jobAsRead(on, held.job);

        await writeOf(move, on.ports.leases, held);

        const now = await jobAsRead(on, held.job);
        const { from, to } = JOB_MOVES[move];
        const legal = from.some((each) => each === status);
        expect([status, move, now.status]).toEqual([status, move, legal ? to : status]);
        if (legal) expect(now).not.toEqual(before);
        else expect(now).toEqual(before);
      }
    }
  },
};
