// A sparse index of what is due, in a few shards; and the query over all of them.

import type { ReadResult } from '#idempotency/commit-port.ts';
import type { Dynamo } from '#store/dynamo.ts';
import type { View } from '#store/dynamo-input.ts';

export type DueIndex<T> = {
  readonly view: View<T>;
  readonly index: string;
  /** The attribute that holds the number of the shard, from 0, as text. */
  readonly shardAttribute: string;
  readonly shards: number;
};

/** Before when, at most how many of each shard, and within which time one query of a shard. */
export type DueQuery = {
  readonly nowMs: number;
  readonly limit: number;
  readonly timeoutMs: number;
};

/** What is due before an instant, at most `limit` of each shard, each shard's earliest first. */
export async function queryDue<T>(
  dynamo: Dynamo,
  { view, index, shardAttribute, shards }: DueIndex<T>,
  { nowMs, limit, timeoutMs }: DueQuery,
): Promise<ReadResult<readonly T[]>> {
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      dynamo.query(
        view,
        {
          index,
          keyCondition: `${shardAttribute} = :shard AND dueAtMs < :now`,
          values: { ':shard': `${shard}`, ':now': nowMs },
          limit,
        },
        { timeoutMs },
      ),
    ),
  );
  const items: T[] = [];
  for (const page of pages) {
    if (page.kind !== 'found') return { kind: 'failed' };
    items.push(...page.value.items);
  }
  return { kind: 'found', value: items };
}
