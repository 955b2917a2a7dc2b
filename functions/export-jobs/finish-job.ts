// Every end of a job goes through here: one transaction, tried until an answer settles it.

import type { Job } from '#export-jobs/job.ts';
import type { Finish, FinishResult, JobEnd, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import { jobPurgeAtSeconds } from '#export-jobs/job-purge.ts';
import type { NotApplied, Unknown } from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import { sendUntilSettled, type TriesEnd, type TryEnvironment } from '#idempotency/store-tries.ts';

export type FinishRequest = {
  readonly job: Job;
  readonly held: Finish['held'];
  readonly end: JobEnd;
  readonly finishedAtMs: EpochMs;
  readonly jobRetentionMs: number;
};

export async function finishJob(
  { job, held, end, finishedAtMs, jobRetentionMs }: FinishRequest,
  leases: Pick<JobLeasePort, 'finishIfHeld'>,
  env: TryEnvironment,
): Promise<Exclude<FinishResult, NotApplied | Unknown> | TriesEnd> {
  const purgeAtSeconds = jobPurgeAtSeconds(finishedAtMs, job.keyPurgeAtSeconds, jobRetentionMs);
  const finish: Finish = { job, held, end, finishedAtMs, purgeAtSeconds };
  const sent = await sendUntilSettled(
    (options) => leases.finishIfHeld(finish, options),
    () => false,
    env,
  );
  return sent.kind === 'settled' ? sent.value : sent;
}
