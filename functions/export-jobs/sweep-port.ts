// Finding unfinished work that got stuck, oldest first, and putting it off so that one job that cannot
// be helped never hides the others.

import type { JobName } from '#export-jobs/job.ts';
import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';

export type DueJob = JobName & { readonly dueAtMs: EpochMs };

export type SweepPort = {
  /** At most `limit` jobs due before `nowMs`, oldest first, over all shards. Eventually consistent. */
  readonly listDueJobs: (
    query: { readonly nowMs: EpochMs; readonly limit: number },
    options: Pick<ReadOptions, 'timeoutMs'>,
  ) => Promise<ReadResult<readonly DueJob[]>>;
  /** Moves the due time of an unfinished job, if it still is what was seen. */
  readonly putOff: (
    due: DueJob,
    untilMs: EpochMs,
    options: Pick<ReadOptions, 'timeoutMs'>,
  ) => Promise<void>;
};
