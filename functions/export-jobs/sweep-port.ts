// Finding unfinished work that got stuck, oldest first, and putting it off so that one job that cannot
// be helped never hides the others.

import type { JobName } from '#export-jobs/job.ts';
import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';

export type DueJob = JobName & { readonly dueAtMs: EpochMs };

/**
 *  1. listDueJobs lists unfinished jobs due before nowMs, longest due first, at most `limit`, wherever they
 *     are stored. Eventually consistent.
 *  2. A finished job is never listed.
 *  3. putOff moves a due time only while it is what was seen: it makes no item that was not there, and
 *     brings no finished job back.
 *  4. What cannot be known is `failed`, never a shorter list.
 *  5. putOff never throws for the store: the next sweep looks again.
 */
export type SweepPort = {
  readonly listDueJobs: (
    query: { readonly nowMs: EpochMs; readonly limit: number },
    options: Pick<ReadOptions, 'timeoutMs'>,
  ) => Promise<ReadResult<readonly DueJob[]>>;
  readonly putOff: (
    due: DueJob,
    untilMs: EpochMs,
    options: Pick<ReadOptions, 'timeoutMs'>,
  ) => Promise<void>;
};
