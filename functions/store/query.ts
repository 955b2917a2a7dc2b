// One Query, at most 1 MB read.

import {
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { Item } from '#store/classify-answer.ts';
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
