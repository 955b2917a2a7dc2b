// The table's own stream as a witness: every change of every item, in the order in which it was made.

import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Database } from '#test/support/dynamodb.ts';
import type { StoredItem } from '#test/support/table-contents.ts';

export type Change = {
  readonly kind: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly image: StoredItem;
};

/** All changes of one job, from the beginning. */
export async function changesOfJob(database: Database, jobId: string): Promise<Change[]> {
  const client = new DynamoDBStreamsClient(database.connection);
  try {
    const { Streams } = await client.send(new ListStreamsCommand({ TableName: 'ExportJobs' }));
    const StreamArn = Streams?.[0]?.StreamArn;
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
    const changes: Change[] = [];
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
      let { ShardIterator } = await client.send(new GetShardIteratorCommand(start));
      while (ShardIterator) {
        const page = await client.send(new GetRecordsCommand({ ShardIterator }));
        for (const { eventName, dynamodb } of page.Records ?? []) {
          const image = unmarshall((dynamodb?.NewImage ?? dynamodb?.OldImage ?? {}) as never);
          if (image.jobId === jobId && !image.owner.endsWith('#request')) {
            changes.push({ kind: eventName as Change['kind'], image });
          }
        }
        if (!page.Records?.length) break;
        ShardIterator = page.NextShardIterator;
      }
    }
    return changes;
  } finally {
    client.destroy();
  }
}
