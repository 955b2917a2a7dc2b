// Business cancellation: idempotent by target state, so it needs no key. A queued job ends at once; a
// running one is asked to stop and never becomes succeeded after that was answered.

import { ownerOf } from '#export-jobs/create-port.ts';
import { finishJob } from '#export-jobs/finish-job.ts';
import type { Job } from '#export-jobs/job.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import type { Clock } from '#idempotency/budget.ts';
import { readWithin } from '#idempotency/read-within.ts';
import type { Principal } from '#idempotency/scope.ts';
import { sendUntilSettled, type TryEnvironment } from '#idempotency/store-tries.ts';

export type CancelEnvironment = TryEnvironment & {
  readonly clock: Clock;
  readonly jobRetentionMs: number;
};

export type CancelOutcome =
  | { readonly kind: 'cancelled' | 'cancel-requested'; readonly job: Job }
  | { readonly kind: 'already-finished'; readonly job: Job }
  | { readonly kind: 'absent' }
  | { readonly kind: 'store-unavailable' }
  | { readonly kind: 'outcome-unknown' };

/** queued → running → finished: a job moves under our hands at most twice. */
const LOOKS_MAX = 4;

export async function cancelExportJob(
  principal: Principal,
  jobId: string,
  jobs: JobReadPort,
  leases: JobLeasePort,
  env: CancelEnvironment,
): Promise<CancelOutcome> {
  const owner = ownerOf(principal);
  let mayHaveWritten = false;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const read = await readWithin(env, (options) => jobs.readJob(owner, jobId, options));
    if (read.kind === 'none') return { kind: 'absent' };
    if (read.kind === 'failed') break;
    const job = read.value;
    if (job.status === 'cancelled') return { kind: 'cancelled', job };
    if (job.status === 'running' && job.cancelRequested) return { kind: 'cancel-requested', job };
    if (job.status !== 'queued' && job.status !== 'running') {
      return { kind: 'already-finished', job };
    }
    if (env.budget.remainingForWritesMs() <= 0) break;
    mayHaveWritten = (await askToStop(job, leases, env)) || mayHaveWritten;
  }
  return { kind: mayHaveWritten ? 'outcome-unknown' : 'store-unavailable' };
}

/**
 * Sends the one write that fits the status seen. The next look tells what came of it.
 * @returns may something have been written?
 */
async function askToStop(job: Job, leases: JobLeasePort, env: CancelEnvironment): Promise<boolean> {
  if (job.status === 'running') {
    const sent = await sendUntilSettled(
      (options) => leases.requestCancel(job.owner, job.jobId, options),
      () => false,
      env,
    );
    return sent.kind === 'unsettled' ? sent.unknown : sent.value.kind === 'ok';
  }
  const result = await finishJob(
    {
      job,
      held: { by: 'nobody' },
      end: { status: 'cancelled' },
      finishedAtMs: env.clock.nowMs(),
      jobRetentionMs: env.jobRetentionMs,
    },
    leases,
    env,
  );
  return result.kind === 'unsettled' ? result.unknown : result.kind === 'ok';
}
