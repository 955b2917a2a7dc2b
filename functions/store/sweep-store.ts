// The sparse index of unfinished work: a few shards, sorted by when somebody should look.

import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { mapFound } from '#store/idempotency-store.ts';
import { fromItem, toItem } from '#store/item.ts';
import { SWEEP_SHARDS } from '#store/job-item.ts';
import { queryDue } from '#store/query.ts';
import { epochMsSchema } from '#store/record-item.ts';
import { sendWrite } from '#store/send-once.ts';
import type { TableNames } from '#store/tables.ts';

const dueSchema = z.object({ owner: z.string(), jobId: z.string(), dueAtMs: epochMsSchema });

export function createSweepStore(client: DynamoDBClient, tables: TableNames): SweepPort {
  return {
    async listDueJobs({ nowMs, limit }, options) {
      const items = await queryDue(
        client,
        {
          table: tables.exportJobs,
          index: 'UnfinishedJobs',
          shardAttribute: 'sweepShard',
          shards: SWEEP_SHARDS,
        },
        { nowMs, limit },
        options,
      );
      return mapFound(items, (found) =>
        found
          .map((item) => fromItem(item, dueSchema, 'a due job'))
          .sort((a, b) => a.dueAtMs - b.dueAtMs)
          .slice(0, limit),
      );
    },

    async putOff({ owner, jobId, dueAtMs }, untilMs, { timeoutMs }) {
      const command = new UpdateItemCommand({
        TableName: tables.exportJobs,
        Key: toItem({ owner, jobId }),
        UpdateExpression: 'SET dueAtMs = :until',
        ConditionExpression: 'attribute_exists(jobId) AND dueAtMs = :seen',
        ExpressionAttributeValues: toItem({ ':until': untilMs, ':seen': dueAtMs }),
        ReturnConsumedCapacity: 'INDEXES',
      });
      // Best effort by design: whatever comes back, the next sweep looks again.
      await sendWrite(command, { timeoutMs, maySend: () => true }, (o) => client.send(command, o));
    },
  };
}
