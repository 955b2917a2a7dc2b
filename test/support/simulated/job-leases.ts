// Leases on the jobs of the simulated store, and the ends that they allow.

import type { Job, JobName } from '#export-jobs/job.ts';
import type { ClaimResult, HeldResult, JobLeasePort, Lease } from '#export-jobs/job-lease-port.ts';
import type { ReadResult, SendOptions } from '#idempotency/commit-port.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { holds, simulatedFinish } from '#test/support/simulated/job-ends.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import { jobKey, type StoredJob } from '#test/support/simulated/tables.ts';

type Parts = Pick<SimulatedStore, 'tables' | 'travel' | 'due'>;

export function simulatedLeases(parts: Parts): JobLeasePort {
  const { tables, travel, due } = parts;
  const change = changeIn(parts);
  return {
    claimLease: (name, lease, options) =>
      travel.write<ClaimResult>(options, ({ standing }) => {
        const stored = tables.jobs.get(jobKey(name));
        if (!stored || !mayClaim(stored.job, lease)) {
          return claimRefused(standing(stored?.job), lease);
        }
        const dueAtMs = lease.leaseUntilMs + due.leaseOverdueMs;
        const job = claimed(stored.job, lease);
        tables.jobs.set(jobKey(name), { ...stored, job, dueAtMs });
        return { kind: 'claimed', job };
      }),

    renewLease: ({ job: name, fence }, { leaseUntilMs, progressDone }, options) =>
      change({ name, allowed: (job) => holds(job, fence) }, options, (stored) => ({
        ...stored,
        job: { ...stored.job, leaseUntilMs, progressDone },
        dueAtMs: leaseUntilMs + due.leaseOverdueMs,
      })),

    releaseLease: ({ job: name, fence }, nowMs, options) =>
      change({ name, allowed: (job) => holds(job, fence) }, options, (stored) => {
        const leaseUntilMs = epochMs(nowMs - 1);
        const dueAtMs = leaseUntilMs + due.leaseOverdueMs;
        return { ...stored, job: { ...stored.job, leaseUntilMs }, dueAtMs };
      }),

    requestCancel: (name, options) =>
      change({ name, allowed: ({ status }) => status === 'running' }, options, (stored) => ({
        ...stored,
        job: { ...stored.job, cancelRequested: true },
      })),

    finishIfHeld: simulatedFinish(parts),
  };
}

type Guarded = { readonly name: JobName; readonly allowed: (job: Job) => boolean };

function changeIn({ tables, travel }: Parts) {
  return (
    { name, allowed }: Guarded,
    options: SendOptions,
    next: (stored: StoredJob) => StoredJob,
  ): Promise<HeldResult> =>
    travel.write<HeldResult>(options, ({ standing }) => {
      const stored = tables.jobs.get(jobKey(name));
      if (!stored || !allowed(stored.job)) {
        return standing(stored).kind === 'failed'
          ? { kind: 'unknown', why: 'simulated' }
          : { kind: 'stale' };
      }
      const changed = next(stored);
      tables.jobs.set(jobKey(name), changed);
      return { kind: 'ok', job: changed.job };
    });
}

function mayClaim({ status, run, leaseUntilMs }: Job, { nowMs, runsMax }: Lease): boolean {
  const free = leaseUntilMs === undefined || leaseUntilMs < nowMs;
  return (status === 'queued' || (status === 'running' && free)) && run < runsMax;
}

function claimed(job: Job, { leaseId, leaseUntilMs, nowMs }: Lease): Job {
  return {
    ...job,
    status: 'running',
    run: job.run + 1,
    leaseId,
    leaseUntilMs,
    progressDone: 0,
    startedAtMs: job.startedAtMs ?? nowMs,
  };
}

function claimRefused(standing: ReadResult<Job>, lease: Lease): ClaimResult {
  if (standing.kind === 'failed') return { kind: 'unknown', why: 'simulated' };
  if (standing.kind === 'none') return { kind: 'absent' };
  const job = standing.value;
  if (job.status !== 'running') return { kind: 'finished' };
  if (job.leaseId === lease.leaseId) return { kind: 'claimed', job };
  const lasts = job.leaseUntilMs !== undefined && job.leaseUntilMs >= lease.nowMs;
  return lasts ? { kind: 'held' } : { kind: 'runs-exhausted', job };
}
