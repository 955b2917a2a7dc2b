// Everything that is stored of one intent, read by its key, its job or its source batch. Reads only,
// strongly consistent, each bounded in time. What does not parse is told as such and read no further.

import { createRecordKey } from '#export-jobs/create-export-job.ts';
import { claimKeyOf, ownerOf } from '#export-jobs/create-port.ts';
import type { Job } from '#export-jobs/job.ts';
import { listExportJobs } from '#export-jobs/read-export-jobs.ts';
import { realWorld } from '#handlers/world.ts';
import { startBudget } from '#idempotency/budget.ts';
import type { Claim, ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { type IdempotencyKey, parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import type { Principal } from '#idempotency/scope.ts';
import { startTries, type Tries } from '#idempotency/tries.ts';
import { OpsError } from '#ops/ops-error.ts';
import type { Target } from '#ops/target.ts';
import { type OutboxRow, readOutboxRows } from '#store/outbox-row.ts';

export type Asked =
  | { readonly by: 'key'; readonly key: IdempotencyKey }
  | { readonly by: 'job'; readonly jobId: string }
  | { readonly by: 'batch'; readonly sourceBatchId: string };

export type Intent = {
  readonly owner: string;
  readonly key?: IdempotencyKey;
  readonly recordKey?: string;
  readonly record?: IdempotencyRecord;
  readonly job?: Job;
  readonly sourceBatchId?: string;
  readonly claim?: Claim;
  readonly rows: readonly OutboxRow[];
};

type Reader = Pick<
  Target,
  'records' | 'jobs' | 'dynamo' | 'tables' | 'config' | 'tries' | 'retries'
>;

/** Milliseconds for one read: an operator waits. */
const READ_TIMEOUT_MS = 5_000;
/** Pages of the job list that are searched for an opaque key whose record is gone, 500 jobs each. */
const SEARCH_PAGES_MAX = 200;

/** @throws OpsError when the store does not answer */
export async function readIntent(asked: Asked, principal: Principal, at: Reader): Promise<Intent> {
  const owner = ownerOf(principal);
  const named = asked.by === 'batch' ? asked.sourceBatchId : undefined;
  const read = async <T>(from: (o: ReadOptions) => Promise<ReadResult<T>>) =>
    found(await patience(at).read(from));
  const readClaim = (batch: string) =>
    read((o) => at.jobs.readClaim(claimKeyOf(principal, batch), o));
  const readJob = (jobId: string) => read((o) => at.jobs.readJob(owner, jobId, o));

  let claim = named === undefined ? undefined : await readClaim(named);
  let record: IdempotencyRecord | undefined;
  let job: Job | undefined;
  let key = asked.by === 'key' ? asked.key : undefined;
  if (asked.by === 'job') job = await readJob(asked.jobId);
  if (claim) job = await readJob(claim.resourceId);
  if (job) key ??= parseIdempotencyKey(job.idempotencyKey);
  const recordKey = key ? createRecordKey(principal, key) : claim?.recordKey;
  if (recordKey) record = await read((o) => at.records.readRecord(recordKey, o));
  if (!job && record?.state === 'committed') job = await readJob(record.resourceId);
  if (!job && key) job = await searchJob(key, principal, at);
  const sourceBatchId = named ?? job?.sourceBatchId;
  if (sourceBatchId !== undefined) claim ??= await readClaim(sourceBatchId);
  const jobId = job?.jobId ?? claim?.resourceId ?? (asked.by === 'job' ? asked.jobId : undefined);
  const rows = jobId
    ? await read((o) =>
        readOutboxRows(at.dynamo, { table: at.tables.notifications, owner, jobId }, o),
      )
    : undefined;
  return {
    owner,
    rows: rows ?? [],
    ...(key && { key }),
    ...(recordKey && { recordKey }),
    ...(record && { record }),
    ...(job && { job }),
    ...(sourceBatchId !== undefined && { sourceBatchId }),
    ...(claim && { claim }),
  };
}

/** The newest job of a key whose record is gone, or names no job. */
async function searchJob(
  key: IdempotencyKey,
  principal: Principal,
  at: Reader,
): Promise<Job | undefined> {
  let afterJobId: string | undefined;
  for (let pages = 0; pages < SEARCH_PAGES_MAX; pages += 1) {
    const query = { principal, limit: 1, idempotencyKey: key.value };
    const page = found(
      await listExportJobs({ ...query, ...(afterJobId && { afterJobId }) }, at.jobs, {
        tries: patience(at),
        retention: at.config.retention,
      }),
    );
    if (page?.jobs[0] || page?.nextAfterJobId === undefined) return page?.jobs[0];
    afterJobId = page.nextAfterJobId;
  }
  throw new OpsError(
    `The job of this key is not among the newest ${SEARCH_PAGES_MAX * 500} of its owner. Ask by --job or --batch.`,
  );
}

/** Tries of one read: a store that is busy for a moment is asked again. */
function patience({ tries, retries }: Reader): Tries {
  const clock = { nowMs: () => epochMs(Date.now()), monotonicMs: () => performance.now() };
  const limits = {
    totalMs: READ_TIMEOUT_MS,
    platformRemainingMs: () => READ_TIMEOUT_MS,
    lookUpReserveMs: 0,
  };
  return startTries({
    ...realWorld,
    clock,
    retries,
    policy: { ...tries, tryTimeoutMs: READ_TIMEOUT_MS },
    budget: startBudget(limits, clock),
  });
}

function found<T>(read: ReadResult<T>): T | undefined {
  switch (read.kind) {
    case 'found':
      return read.value;
    case 'none':
      return undefined;
    case 'failed':
      throw new OpsError(
        'The store does not answer. Check that it runs, that the tables exist, and your rights; then ask again.',
      );
  }
}
