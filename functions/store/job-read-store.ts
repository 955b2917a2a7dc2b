// Jobs as they are read: by ID, and newest first within their owner's partition.

import type { JobListQuery, JobReadPort } from '#export-jobs/job-read-port.ts';
import { mapFound } from '#idempotency/commit-port.ts';
import { claimsIn } from '#store/commit-store.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { type Query, view } from '#store/dynamo-input.ts';
import { articleIdsFromItem, jobsIn, requestKey } from '#store/job-item.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

/** Items that a filtered page looks at: with jobs under 2 KB, below the 1 MB a page may read. */
const FILTERED_ITEMS_MAX = 500;

export function createJobReadStore(dynamo: Dynamo, tables: TableNames): JobReadPort {
  const jobs = jobsIn(tables.exportJobs);
  const requests = view(tables.exportJobs, TABLES.exportJobs, articleIdsFromItem);
  const claims = claimsIn(tables.businessKeys);
  return {
    readJob: (owner, jobId, options) => dynamo.get(jobs, { owner, jobId }, options),

    async readArticleIds(job, options) {
      if (job.articleIds) return { kind: 'found', value: job.articleIds };
      return dynamo.get(requests, requestKey(job), options);
    },

    async listJobs(owner, query, options) {
      const input = { ...listQuery(owner, query), consistent: options.consistent };
      return mapFound(await dynamo.query(jobs, input, options), ({ items, lastKey }) => {
        const page = items.slice(0, query.limit);
        const last = lastKey?.[TABLES.exportJobs.range];
        const next = items.length > query.limit ? page.at(-1)?.jobId : last;
        return { jobs: page, ...(typeof next === 'string' && { nextAfterJobId: next }) };
      });
    },

    readClaim: (claimKey, options) => dynamo.get(claims, { [claims.hash]: claimKey }, options),
  };
}

function listQuery(owner: string, query: JobListQuery): Query {
  const { status, idempotencyKey, createdFromMs, createdUntilMs, afterJobId, limit } = query;
  const values: Record<string, string> = { ':owner': owner };
  const filters: string[] = [];
  if (status !== undefined) {
    values[':status'] = status;
    filters.push('#status = :status');
  }
  if (idempotencyKey !== undefined) {
    values[':idempotencyKey'] = idempotencyKey;
    filters.push('idempotencyKey = :idempotencyKey');
  }
  let keyCondition = '#owner = :owner';
  if (createdFromMs !== undefined && createdUntilMs !== undefined) {
    values[':first'] = firstUuidAt(createdFromMs);
    values[':last'] = firstUuidAt(createdUntilMs + 1);
    keyCondition += ' AND jobId BETWEEN :first AND :last';
  }
  return {
    keyCondition,
    ...(filters.length > 0 && { filter: filters.join(' AND ') }),
    names: { '#owner': 'owner', ...(status !== undefined && { '#status': 'status' }) },
    values,
    newestFirst: true,
    limit: filters.length > 0 ? FILTERED_ITEMS_MAX : limit,
    ...(afterJobId !== undefined && { startKey: { owner, jobId: afterJobId } }),
  };
}

/** The time in a UUIDv7 has 48 bits. */
const UUID_MS_MAX = 2 ** 48 - 1;

/** Below every UUIDv7 of this millisecond, above every one before it. */
function firstUuidAt(ms: number): string {
  const hex = Math.min(ms, UUID_MS_MAX).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`;
}
