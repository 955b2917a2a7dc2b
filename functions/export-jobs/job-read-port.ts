// Reading jobs: one by its name, an owner's own newest first, and who holds a claim.

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

/**
 *  1. A consistent read sees every write that was acknowledged before it began.
 *  2. Only an owner's own items are ever reached.
 *  3. A page reads at most 1 MB, whatever it filters; it may be short or empty and still have a next.
 *  4. Jobs come newest first, by job ID; a job inserted later never moves another one between pages.
 *  5. Instants of a query are both included, to the millisecond.
 *  6. Article IDs come back in their order, however many there are.
 *  7. `none` is said only of what is proven absent. What cannot be known is `failed`, never a shorter page.
 *  8. What comes back was parsed; what does not parse is thrown as a fault, never left out.
 */
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
