// Jobs as they are read: by ID, and newest first within their owner's partition.

import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { JobListQuery, JobReadPort } from '#export-jobs/job-read-port.ts';
import { claimFromItem } from '#store/claim-item.ts';
import { mapFound, readItem } from '#store/idempotency-store.ts';
import { toItem } from '#store/item.ts';
import { articleIdsFromItem, jobFromItem, requestKey } from '#store/job-item.ts';
import { queryPage } from '#store/query.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

/** Items that a filtered page looks at: with jobs under 2 KB, below the 1 MB a page may read. */
const FILTERED_ITEMS_MAX = 500;

export function createJobReadStore(client: DynamoDBClient, tables: TableNames): JobReadPort {
  return {
    async readJob(owner, jobId, options) {
      const read = await readItem(client, tables.exportJobs, { owner, jobId }, options);
      return mapFound(read, jobFromItem);
    },

    async readArticleIds(job, options) {
      if (job.articleIds) return { kind: 'found', value: job.articleIds };
      const read = await readItem(client, tables.exportJobs, requestKey(job), options);
      return mapFound(read, articleIdsFromItem);
    },

    async listJobs(owner, query, options) {
      const input = listInput(tables.exportJobs, owner, query, options.consistent);
      return mapFound(await queryPage(client, input, options), ({ items, lastKey }) => {
        const jobs = items.slice(0, query.limit).map(jobFromItem);
        const cut = items.length > query.limit;
        const next = cut ? jobs.at(-1)?.jobId : lastKey?.[TABLES.exportJobs.range]?.S;
        return { jobs, ...(next !== undefined && { nextAfterJobId: next }) };
      });
    },

    async readClaim(claimKey, options) {
      const key = { [TABLES.businessKeys.hash]: claimKey };
      return mapFound(await readItem(client, tables.businessKeys, key, options), claimFromItem);
    },
  };
}

function listInput(
  TableName: string,
  owner: string,
  query: JobListQuery,
  ConsistentRead: boolean,
): QueryCommandInput {
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
    TableName,
    ConsistentRead,
    ScanIndexForward: false,
    Limit: filters.length > 0 ? FILTERED_ITEMS_MAX : limit,
    KeyConditionExpression: keyCondition,
    ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
    ExpressionAttributeNames: {
      '#owner': 'owner',
      ...(status !== undefined && { '#status': 'status' }),
    },
    ExpressionAttributeValues: toItem(values),
    ...(afterJobId !== undefined && {
      ExclusiveStartKey: toItem({ owner, jobId: afterJobId }),
    }),
  };
}

/** The time in a UUIDv7 has 48 bits. */
const UUID_MS_MAX = 2 ** 48 - 1;

/** Below every UUIDv7 of this millisecond, above every one before it. */
function firstUuidAt(ms: number): string {
  const hex = Math.min(ms, UUID_MS_MAX).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`;
}
