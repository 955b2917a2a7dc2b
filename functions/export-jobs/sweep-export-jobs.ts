// The safety net for lost hand-overs: what got stuck is handed over again, oldest first, and never run
// here. A job that cannot be helped is put off, so that it does not hide the others.

import type { JobName } from '#export-jobs/job.ts';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { type EpochMs, plusMs } from '#idempotency/epoch.ts';
import { mintedAtMs } from '#idempotency/idempotency-key.ts';

export type SweepSettings = {
  readonly nowMs: EpochMs;
  readonly jobsMax: number;
  /** Until the same job is looked at again, milliseconds. */
  readonly putOffMs: number;
  readonly storeTimeoutMs: number;
};

export type SweepOutcome = {
  readonly due: number;
  readonly handedOver: number;
  /** Why the others were not. */
  readonly failures: readonly unknown[];
  readonly oldestDueMs?: number;
  /** Age of the oldest job among them, milliseconds: putting off does not make it younger. */
  readonly oldestJobMs?: number;
};

/** A hand-over that fails keeps no other from its turn. @throws when the index cannot be read */
export async function sweepExportJobs(
  sweep: SweepPort,
  handOver: (job: JobName) => Promise<void>,
  env: SweepSettings,
): Promise<SweepOutcome> {
  const timeoutMs = env.storeTimeoutMs;
  const read = await sweep.listDueJobs({ nowMs: env.nowMs, limit: env.jobsMax }, { timeoutMs });
  if (read.kind !== 'found') throw new Error('the unfinished jobs could not be listed');
  let handedOver = 0;
  const failures: unknown[] = [];
  for (const due of read.value) {
    try {
      await handOver({ owner: due.owner, jobId: due.jobId });
      handedOver += 1;
    } catch (failure) {
      failures.push(failure); // told to the caller, when the others had their turn
    }
    await sweep.putOff(due, plusMs(env.nowMs, env.putOffMs), { timeoutMs });
  }
  const oldest = read.value[0];
  return {
    due: read.value.length,
    handedOver,
    failures,
    ...(oldest && {
      oldestDueMs: env.nowMs - oldest.dueAtMs,
      oldestJobMs: env.nowMs - Math.min(...read.value.map(({ jobId }) => mintedAtMs(jobId))),
    }),
  };
}
