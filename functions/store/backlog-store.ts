// The backlog read from DynamoDB: the sparse index of notifications owed, and a sample of the records.
// Reads purge times and keys alone: the role allows no other attribute.

import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { BacklogPort } from '#export-jobs/backlog-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import { fromItem } from '#store/item.ts';
import { queryDue } from '#store/query.ts';
import { epochMsSchema, epochSecondsSchema } from '#store/record-item.ts';
import { withTimeLimit } from '#store/send-once.ts';
import type { TableNames } from '#store/tables.ts';

/** Partitions of the index of notifications owed, `0` to `3`. */
export const OUTBOX_SHARDS = 4;
/** A sample is one page of one of so many equal parts of the table. */
const SAMPLE_PARTS = 1_000;
/** Records of a sample: at most 1 KB each, 13 read units. */
const SAMPLE_RECORDS = 100;

const dueSchema = z.object({ dueAtMs: epochMsSchema });
const purgeSchema = z.object({ purgeAtSeconds: epochSecondsSchema });

export function createBacklogStore(client: DynamoDBClient, tables: TableNames): BacklogPort {
  return {
    async oldestDueNotification(nowMs, options) {
      const items = await queryDue(
        client,
        {
          table: tables.notifications,
          index: 'DueNotifications',
          shardAttribute: 'dueShard',
          shards: OUTBOX_SHARDS,
        },
        { nowMs, limit: 1 },
        options,
      );
      if (items.kind !== 'found') return items;
      const due = items.value.map((item) => fromItem(item, dueSchema, 'a row').dueAtMs);
      return due.length === 0
        ? { kind: 'none' }
        : { kind: 'found', value: Math.min(...due) as EpochMs };
    },

    async samplePurgeTimes(random, { timeoutMs }) {
      const command = new ScanCommand({
        TableName: tables.idempotencyKeys,
        Segment: Math.floor(random * SAMPLE_PARTS),
        TotalSegments: SAMPLE_PARTS,
        Limit: SAMPLE_RECORDS,
        ProjectionExpression: 'pk, purgeAtSeconds',
        Select: 'SPECIFIC_ATTRIBUTES',
      });
      try {
        const { Items } = await withTimeLimit(timeoutMs, (o) => client.send(command, o));
        if (!Array.isArray(Items)) return { kind: 'failed' };
        const times = Items.map((item) => fromItem(item, purgeSchema, 'a record').purgeAtSeconds);
        return { kind: 'found', value: times };
      } catch {
        return { kind: 'failed' }; // a read that failed says nothing; the next schedule looks again
      }
    },
  };
}
