// A row of the outbox as it is read back: what is owed, or was, for the end of one job.

import * as z from 'zod';
import { mapFound, type ReadOptions, type ReadResult } from '#idempotency/commit-port.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { type View, view } from '#store/dynamo-input.ts';
import { fromItem, type Item } from '#store/item.ts';
import { epochMsSchema, epochSecondsSchema } from '#store/record-item.ts';
import { TABLES } from '#store/tables.ts';

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
  dynamo: Dynamo,
  { table, owner, jobId }: Pick<OutboxRow, 'owner' | 'jobId'> & { readonly table: string },
  options: Pick<ReadOptions, 'timeoutMs'>,
): Promise<ReadResult<readonly OutboxRow[]>> {
  const page = await dynamo.query(
    outboxRowsIn(table),
    {
      consistent: true,
      keyCondition: '#owner = :owner AND begins_with(notificationId, :jobId)',
      names: { '#owner': 'owner' },
      values: { ':owner': owner, ':jobId': jobId },
    },
    options,
  );
  return mapFound(page, ({ items }) => items);
}

export function outboxRowsIn(table: string): View<OutboxRow> {
  return view(table, TABLES.notifications, outboxRowFromItem);
}
