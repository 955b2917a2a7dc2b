// Reading jobs. Guarantees of an adapter:
//  1. Consistent reads see every acknowledged write; only an owner's own items are ever reached.
//  2. A page reads at most 1 MB, whatever it filters; it may be short or empty and still have a next.
//  3. Jobs come newest first, by job ID; a job inserted later never moves another one between pages.

import type { JobStatus } from '#contract/export-job.ts';
import type { Job } from '#export-jobs/job.ts';
import type { Claim, ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';

export type JobListQuery = {
  readonly limit: number;
  /** The page starts after this job. */
  readonly afterJobId?: string;
  readonly status?: JobStatus;
  readonly idempotencyKey?: string;
  /** Only jobs created within these instants, both included. */
  readonly createdFromMs?: EpochMs;
  readonly createdUntilMs?: EpochMs;
};

export type JobPage = { readonly jobs: readonly Job[]; readonly nextAfterJobId?: string };

export type JobReadPort = {
  readonly readJob: (
    owner: string,
    jobId: string,
    options: ReadOptions,
  ) => Promise<ReadResult<Job>>;
  /** The article IDs in their order, wherever they are stored. */
  readonly readArticleIds: (
    job: Job,
    options: ReadOptions,
  ) => Promise<ReadResult<readonly string[]>>;
  readonly listJobs: (
    owner: string,
    query: JobListQuery,
    options: ReadOptions,
  ) => Promise<ReadResult<JobPage>>;
  readonly readClaim: (claimKey: string, options: ReadOptions) => Promise<ReadResult<Claim>>;
};
