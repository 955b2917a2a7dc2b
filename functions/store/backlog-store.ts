// The backlog read from DynamoDB: the sparse index of notifications owed, and a sample of the records.
// Reads purge times and keys alone: the role allows no other attribute.

import * as z from 'zod';
import type { BacklogPort } from '#export-jobs/backlog-port.ts';
import { mapFound } from '#idempotency/commit-port.ts';
import { queryDue } from '#store/due-index.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { view } from '#store/dynamo-input.ts';
import { fromItem } from '#store/item.ts';
import { epochMsSchema, epochSecondsSchema } from '#store/record-item.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

/** Partitions of the index of notifications owed, `0` to `3`. */
export const OUTBOX_SHARDS = 4;
/** A sample is one page of one of so many equal parts of the table. */
const SAMPLE_PARTS = 1_000;
/** Records of a sample: at most 1 KB each, 13 read units. */
const SAMPLE_RECORDS = 100;

const dueSchema = z.object({ dueAtMs: epochMsSchema });
const purgeSchema = z.object({ purgeAtSeconds: epochSecondsSchema });

export function createBacklogStore(dynamo: Dynamo, tables: TableNames): BacklogPort {
  const dueRows = {
    view: view(tables.notifications, TABLES.notifications, (item) =>
      fromItem(item, dueSchema, 'a row'),
    ),
    index: 'DueNotifications',
    shardAttribute: 'dueShard',
    shards: OUTBOX_SHARDS,
  };
  const purgeTimes = view(tables.idempotencyKeys, TABLES.idempotencyKeys, (item) =>
    fromItem(item, purgeSchema, 'a record'),
  );
  return {
    async oldestDueNotification(nowMs, options) {
      const due = await queryDue(dynamo, dueRows, { nowMs, limit: 1, ...options });
      if (due.kind !== 'found') return due;
      const [first] = due.value.map(({ dueAtMs }) => dueAtMs).sort((a, b) => a - b);
      return first === undefined ? { kind: 'none' } : { kind: 'found', value: first };
    },

    async samplePurgeTimes(random, options) {
      const scan = {
        segment: Math.floor(random * SAMPLE_PARTS),
        segments: SAMPLE_PARTS,
        limit: SAMPLE_RECORDS,
        consistent: false,
        attributes: ['pk', 'purgeAtSeconds'],
      };
      return mapFound(await dynamo.scan(purgeTimes, scan, options), ({ items }) =>
        items.map(({ purgeAtSeconds }) => purgeAtSeconds),
      );
    },
  };
}
