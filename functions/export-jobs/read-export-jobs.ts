// Looking at jobs: one, a list, or what a source batch or a key made.

import { claimKeyOf, ownerOf } from '#export-jobs/create-port.ts';
import type { Job, JobName } from '#export-jobs/job.ts';
import type { JobListQuery, JobPage, JobReadPort } from '#export-jobs/job-read-port.ts';
import type { ReadResult } from '#idempotency/commit-port.ts';
import { plusMs } from '#idempotency/epoch.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import { keyHorizon } from '#idempotency/retention.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import type { Principal } from '#idempotency/scope.ts';
import type { Tries } from '#idempotency/tries.ts';

/** Callers' and servers' clocks differ: a job may be older than the key that made it, milliseconds. */
const SEARCH_BEFORE_MINT_MS = 10 * 60_000;

export type JobAsked = { readonly job: Job; readonly articleIds?: readonly string[] };

/** The job; with its article IDs when they are needed to say what is missing. */
export async function readExportJob(
  { owner, jobId }: JobName,
  jobs: JobReadPort,
  tries: Tries,
): Promise<ReadResult<JobAsked>> {
  const read = await tries.read((o) => jobs.readJob(owner, jobId, o));
  if (read.kind !== 'found') return read;
  const job = read.value;
  if (!job.error?.missing || job.articleIds) return { kind: 'found', value: { job } };
  const ids = await tries.read((o) => jobs.readArticleIds(job, o));
  if (ids.kind === 'failed') return ids;
  return {
    kind: 'found',
    value: { job, ...(ids.kind === 'found' && { articleIds: ids.value }) },
  };
}

export type ListRequest = Omit<JobListQuery, 'createdFromMs' | 'createdUntilMs'> & {
  readonly principal: Principal;
  readonly sourceBatchId?: string;
};

/** A page, newest first. A source batch is answered from its claim; a time-stamped key from a range of IDs. */
export async function listExportJobs(
  request: ListRequest,
  jobs: JobReadPort,
  { tries, retention }: { readonly tries: Tries; readonly retention: RetentionPolicy },
): Promise<ReadResult<JobPage>> {
  const { principal, sourceBatchId, ...query } = request;
  if (sourceBatchId !== undefined) return jobOfBatch({ ...request, sourceBatchId }, jobs, tries);
  const key = query.idempotencyKey && parseIdempotencyKey(query.idempotencyKey);
  const horizon = key ? keyHorizon(key, retention) : undefined;
  const range =
    key && key.kind === 'time-stamped' && horizon
      ? {
          createdFromMs: plusMs(key.mintedAtMs, -SEARCH_BEFORE_MINT_MS),
          createdUntilMs: horizon.definitiveFromMs,
        }
      : {};
  const asked = { ...query, ...(key && { idempotencyKey: key.value }), ...range };
  return tries.read((o) => jobs.listJobs(ownerOf(principal), asked, o));
}

async function jobOfBatch(
  { principal, sourceBatchId, status, idempotencyKey }: ListRequest & { sourceBatchId: string },
  jobs: JobReadPort,
  tries: Tries,
): Promise<ReadResult<JobPage>> {
  const empty = { kind: 'found', value: { jobs: [] } } as const;
  const claim = await tries.read((o) => jobs.readClaim(claimKeyOf(principal, sourceBatchId), o));
  if (claim.kind !== 'found') return claim.kind === 'none' ? empty : claim;
  const { resourceId } = claim.value;
  const read = await tries.read((o) => jobs.readJob(ownerOf(principal), resourceId, o));
  if (read.kind !== 'found') return read.kind === 'none' ? empty : read;
  const job = read.value;
  const key = idempotencyKey === undefined ? undefined : parseIdempotencyKey(idempotencyKey)?.value;
  const wanted =
    (status === undefined || job.status === status) &&
    (key === undefined || job.idempotencyKey === key);
  return wanted ? { kind: 'found', value: { jobs: [job] } } : empty;
}
