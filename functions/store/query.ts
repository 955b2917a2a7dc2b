// One Query, at most 1 MB read; and the same one over the shards of a sparse index of what is due.

import {
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { Item } from '#store/classify-answer.ts';
import { toItem } from '#store/item.ts';
import { withTimeLimit } from '#store/send-once.ts';

export type QueryPage = { readonly items: readonly Item[]; readonly lastKey?: Item };

export async function queryPage(
  client: DynamoDBClient,
  input: Omit<QueryCommandInput, 'ReturnConsumedCapacity'>,
  { timeoutMs }: Pick<ReadOptions, 'timeoutMs'>,
): Promise<ReadResult<QueryPage>> {
  try {
    const command = new QueryCommand({ ...input, ReturnConsumedCapacity: 'INDEXES' });
    const output = await withTimeLimit(timeoutMs, (o) => client.send(command, o));
    if (!Array.isArray(output.Items)) return { kind: 'failed' };
    const lastKey = output.LastEvaluatedKey;
    return {
      kind: 'found',
      value: { items: output.Items, ...(lastKey && { lastKey }) },
    };
  } catch {
    return { kind: 'failed' }; // a read that failed says nothing; whoever asked decides
  }
}

export type DueIndex = {
  readonly table: string;
  readonly index: string;
  /** The attribute that holds the number of the shard, from 0, as text. */
  readonly shardAttribute: string;
  readonly shards: number;
};

/** What is due before an instant, at most `limit` of each shard, each shard's earliest first. */
export async function queryDue(
  client: DynamoDBClient,
  { table, index, shardAttribute, shards }: DueIndex,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
  options: Pick<ReadOptions, 'timeoutMs'>,
): Promise<ReadResult<readonly Item[]>> {
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      queryPage(
        client,
        {
          TableName: table,
          IndexName: index,
          KeyConditionExpression: `${shardAttribute} = :shard AND dueAtMs < :now`,
          ExpressionAttributeValues: toItem({ ':shard': `${shard}`, ':now': nowMs }),
          Limit: limit,
        },
        options,
      ),
    ),
  );
  const items: Item[] = [];
  for (const page of pages) {
    if (page.kind !== 'found') return { kind: 'failed' };
    items.push(...page.value.items);
  }
  return { kind: 'found', value: items };
}
