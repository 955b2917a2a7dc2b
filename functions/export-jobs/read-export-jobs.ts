// Looking at jobs: one, a list, or what a source batch or a key made.

import { claimKeyOf, ownerOf } from '#export-jobs/create-port.ts';
import type { Job } from '#export-jobs/job.ts';
import type { JobListQuery, JobPage, JobReadPort } from '#export-jobs/job-read-port.ts';
import type { ReadResult } from '#idempotency/commit-port.ts';
import { plusMs } from '#idempotency/epoch.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import { readWithin } from '#idempotency/read-within.ts';
import { keyHorizon } from '#idempotency/retention.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import type { Principal } from '#idempotency/scope.ts';
import type { TryEnvironment } from '#idempotency/store-tries.ts';

/** Callers' and servers' clocks differ: a job may be older than the key that made it, milliseconds. */
const SEARCH_BEFORE_MINT_MS = 10 * 60_000;

export type ReadEnvironment = Pick<TryEnvironment, 'budget' | 'policy' | 'random' | 'sleepMs'>;

export type JobAsked = { readonly job: Job; readonly articleIds?: readonly string[] };

/** The job; with its article IDs when they are needed to say what is missing. */
export async function readExportJob(
  principal: Principal,
  jobId: string,
  jobs: JobReadPort,
  env: ReadEnvironment,
): Promise<ReadResult<JobAsked>> {
  const read = await readWithin(env, (options) => jobs.readJob(ownerOf(principal), jobId, options));
  if (read.kind !== 'found') return read;
  const job = read.value;
  if (!job.error?.missing || job.articleIds) return { kind: 'found', value: { job } };
  const ids = await readWithin(env, (options) => jobs.readArticleIds(job, options));
  if (ids.kind === 'failed') return ids;
  return {
    kind: 'found',
    value: { job, ...(ids.kind === 'found' && { articleIds: ids.value }) },
  };
}

export type ListRequest = Omit<JobListQuery, 'createdFromMs' | 'createdUntilMs'> & {
  readonly sourceBatchId?: string;
};

/** A page, newest first. A source batch is answered from its claim; a time-stamped key from a range of IDs. */
export async function listExportJobs(
  principal: Principal,
  { sourceBatchId, ...query }: ListRequest,
  jobs: JobReadPort,
  env: ReadEnvironment & { readonly retention: RetentionPolicy },
): Promise<ReadResult<JobPage>> {
  if (sourceBatchId !== undefined) return jobOfBatch(principal, sourceBatchId, query, jobs, env);
  const key = query.idempotencyKey && parseIdempotencyKey(query.idempotencyKey);
  const horizon = key ? keyHorizon(key, env.retention) : undefined;
  const range =
    key && key.kind === 'time-stamped' && horizon
      ? {
          createdFromMs: plusMs(key.mintedAtMs, -SEARCH_BEFORE_MINT_MS),
          createdUntilMs: horizon.definitiveFromMs,
        }
      : {};
  const asked = { ...query, ...(key && { idempotencyKey: key.value }), ...range };
  return readWithin(env, (options) => jobs.listJobs(ownerOf(principal), asked, options));
}

async function jobOfBatch(
  principal: Principal,
  sourceBatchId: string,
  { status, idempotencyKey }: JobListQuery,
  jobs: JobReadPort,
  env: ReadEnvironment,
): Promise<ReadResult<JobPage>> {
  const empty = { kind: 'found', value: { jobs: [] } } as const;
  const claim = await readWithin(env, (options) =>
    jobs.readClaim(claimKeyOf(principal, sourceBatchId), options),
  );
  if (claim.kind !== 'found') return claim.kind === 'none' ? empty : claim;
  const read = await readWithin(env, (options) =>
    jobs.readJob(ownerOf(principal), claim.value.resourceId, options),
  );
  if (read.kind !== 'found') return read.kind === 'none' ? empty : read;
  const job = read.value;
  const key = idempotencyKey === undefined ? undefined : parseIdempotencyKey(idempotencyKey)?.value;
  const wanted =
    (status === undefined || job.status === status) &&
    (key === undefined || job.idempotencyKey === key);
  return wanted ? { kind: 'found', value: { jobs: [job] } } : empty;
}
