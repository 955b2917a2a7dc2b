// Business cancellation: idempotent by target state, so it needs no key. A queued job ends at once; a
// running one is asked to stop and never becomes succeeded after that was answered.

import { finishJob } from '#export-jobs/finish-job.ts';
import type { Job, JobName } from '#export-jobs/job.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import type { Tries } from '#idempotency/tries.ts';

export type CancelPorts = {
  readonly jobs: Pick<JobReadPort, 'readJob'>;
  readonly leases: Pick<JobLeasePort, 'requestCancel' | 'finishIfHeld'>;
};

export type CancelOptions = { readonly tries: Tries; readonly jobRetentionMs: number };

export type CancelOutcome =
  | { readonly kind: 'cancelled' | 'cancel-requested'; readonly job: Job }
  | { readonly kind: 'already-finished'; readonly job: Job }
  | { readonly kind: 'absent' }
  | { readonly kind: 'store-unavailable' }
  | { readonly kind: 'outcome-unknown' };

/** queued → running → finished: a job moves under our hands at most twice. */
const LOOKS_MAX = 4;

export async function cancelExportJob(
  { owner, jobId }: JobName,
  ports: CancelPorts,
  options: CancelOptions,
): Promise<CancelOutcome> {
  const { tries } = options;
  let mayHaveWritten = false;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const read = await tries.read((o) => ports.jobs.readJob(owner, jobId, o));
    if (read.kind === 'none') return { kind: 'absent' };
    if (read.kind === 'failed') break;
    const job = read.value;
    const settled = settledBy(job);
    if (settled) return settled;
    if (tries.budget.remainingForWritesMs() <= 0) break;
    mayHaveWritten = (await askToStop(job, ports.leases, options)) || mayHaveWritten;
  }
  return { kind: mayHaveWritten ? 'outcome-unknown' : 'store-unavailable' };
}

/** Is nothing left to ask for? */
function settledBy(job: Job): CancelOutcome | undefined {
  switch (job.status) {
    case 'cancelled':
      return { kind: 'cancelled', job };
    case 'succeeded':
    case 'failed':
      return { kind: 'already-finished', job };
    case 'running':
      return job.cancelRequested && { kind: 'cancel-requested', job };
    case 'queued':
      return undefined;
  }
}

/**
 * Sends the one write that fits the status seen. The next look tells what came of it.
 * @returns may something have been written?
 */
async function askToStop(
  job: Job,
  leases: CancelPorts['leases'],
  { tries, jobRetentionMs }: CancelOptions,
): Promise<boolean> {
  if (job.status === 'running') {
    const sent = await tries.write((o) => leases.requestCancel(job, o));
    return sent.kind === 'unsettled' ? sent.unknown : sent.value.kind === 'ok';
  }
  const result = await finishJob(
    {
      job,
      held: { by: 'nobody' },
      end: { status: 'cancelled' },
      finishedAtMs: tries.clock.nowMs(),
      jobRetentionMs,
    },
    leases,
    tries,
  );
  return result.kind === 'unsettled' ? result.unknown : result.kind === 'ok';
}
