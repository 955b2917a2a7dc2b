// A row of the outbox as it is read back: what is owed, or was, for the end of one job.

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { Item } from '#store/classify-answer.ts';
import { mapFound } from '#store/idempotency-store.ts';
import { fromItem, toItem } from '#store/item.ts';
import { queryPage } from '#store/query.ts';
import { epochMsSchema, epochSecondsSchema } from '#store/record-item.ts';

const outboxRowSchema = z.object({
  owner: z.string(),
  notificationId: z.string(),
  jobId: z.string(),
  event: z.string(),
  state: z.string(),
  createdAtMs: epochMsSchema,
  settledAtMs: epochMsSchema.exactOptional(),
  dueAtMs: epochMsSchema.exactOptional(),
  dueShard: z.string().exactOptional(),
  purgeAtSeconds: epochSecondsSchema.exactOptional(),
});
export type OutboxRow = z.infer<typeof outboxRowSchema>;

/** @throws StoreFault when it does not parse */
export function outboxRowFromItem(item: Item): OutboxRow {
  return fromItem(item, outboxRowSchema, 'a notification');
}

/** The rows of one job: their IDs begin with the job's. Strongly consistent. */
export async function readOutboxRows(
  client: DynamoDBClient,
  TableName: string,
  { owner, jobId }: Pick<OutboxRow, 'owner' | 'jobId'>,
  options: Pick<ReadOptions, 'timeoutMs'>,
): Promise<ReadResult<readonly OutboxRow[]>> {
  const page = await queryPage(
    client,
    {
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: '#owner = :owner AND begins_with(notificationId, :jobId)',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: toItem({ ':owner': owner, ':jobId': jobId }),
    },
    options,
  );
  return mapFound(page, ({ items }) => items.map(outboxRowFromItem));
}
