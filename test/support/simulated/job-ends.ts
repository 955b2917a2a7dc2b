// The end of a job on the simulated store, and the notification that it owes: both or neither.

import { type Fence, isFinished, type Job } from '#export-jobs/job.ts';
import type { Finish, FinishResult } from '#export-jobs/job-lease-port.ts';
import type { ReadResult, SendOptions } from '#idempotency/commit-port.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import { jobKey } from '#test/support/simulated/tables.ts';

/** Is this the run that the job is in? */
export function holds(job: Job, fence: Fence): boolean {
  return job.status === 'running' && isOf(job, fence);
}

export function simulatedFinish({ tables, travel }: Pick<SimulatedStore, 'tables' | 'travel'>) {
  return (finish: Finish, options: SendOptions): Promise<FinishResult> =>
    travel.write<FinishResult>(options, ({ standing }) => {
      const key = jobKey(finish.job);
      const stored = tables.jobs.get(key);
      if (!stored || !mayEnd(stored.job, finish)) return refused(standing(stored?.job), finish);
      tables.jobs.set(key, { ...stored, job: ended(stored.job, finish) });
      const { jobId } = finish.job;
      tables.outbox.set(key, { jobId, event: `export-job.${finish.end.status}` });
      return { kind: 'ok', job: finish.job };
    });
}

function isOf({ run, leaseId }: Job, fence: Fence): boolean {
  return run === fence.run && leaseId === fence.leaseId;
}

function mayEnd(job: Job, { held, end }: Finish): boolean {
  switch (held.by) {
    case 'nobody':
      return job.status === 'queued';
    case 'lapsed-lease':
      return (
        holds(job, held.fence) && job.leaseUntilMs !== undefined && job.leaseUntilMs < held.nowMs
      );
    case 'fence':
      return holds(job, held.fence) && !(end.status === 'succeeded' && job.cancelRequested);
  }
}

function ended(job: Job, { end, finishedAtMs, purgeAtSeconds }: Finish): Job {
  const { leaseUntilMs: _, ...rest } = job;
  return {
    ...rest,
    status: end.status,
    finishedAtMs,
    purgeAtSeconds,
    ...(end.status === 'succeeded' && { file: end.file, progressDone: job.articleCount }),
    ...(end.status === 'failed' && { error: end.error }),
  };
}

function refused(standing: ReadResult<Job>, { held, end }: Finish): FinishResult {
  if (standing.kind === 'failed') return { kind: 'unknown', why: 'simulated' };
  if (standing.kind === 'none') return { kind: 'stale' };
  const job = standing.value;
  const mine = held.by === 'nobody' || isOf(job, held.fence);
  if (mine && isFinished(job.status) && job.status === end.status) return { kind: 'ok', job };
  return mine && holdsCancel(job) && end.status === 'succeeded'
    ? { kind: 'cancel-requested' }
    : { kind: 'stale', job };
}

function holdsCancel({ status, cancelRequested }: Job): boolean {
  return status === 'running' && cancelRequested === true;
}
