// Every end of a job goes through here: one transaction, tried until an answer settles it.

import type { Job } from '#export-jobs/job.ts';
import type { Finish, FinishResult, HeldEnd, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import { jobPurgeAtSeconds } from '#export-jobs/job-purge.ts';
import type { NotApplied, Unknown } from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import type { Tries, TriesEnd } from '#idempotency/tries.ts';

export type FinishRequest = HeldEnd & {
  readonly job: Job;
  readonly finishedAtMs: EpochMs;
  readonly jobRetentionMs: number;
};

export async function finishJob(
  { jobRetentionMs, ...request }: FinishRequest,
  leases: Pick<JobLeasePort, 'finishIfHeld'>,
  tries: Tries,
): Promise<Exclude<FinishResult, NotApplied | Unknown> | TriesEnd> {
  const { job, finishedAtMs } = request;
  const purgeAtSeconds = jobPurgeAtSeconds(finishedAtMs, job.keyPurgeAtSeconds, jobRetentionMs);
  const finish: Finish = { ...request, purgeAtSeconds };
  const sent = await tries.write((o) => leases.finishIfHeld(finish, o));
  return sent.kind === 'settled' ? sent.value : sent;
}
