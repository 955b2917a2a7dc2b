// What stands in the tables, for a test to count: the effect, never the answer.

import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Database } from '#test/support/dynamodb.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into items by name
export type StoredItem = Record<string, any>;

/** Every item of a table, strongly consistent. */
export async function itemsOf(database: Database, TableName: string): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  let from: Record<string, never> | undefined;
  do {
    const page = await database.client.send(
      new ScanCommand({
        TableName,
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    from = page.LastEvaluatedKey as typeof from;
  } while (from);
  return items;
}

/** Jobs of all owners, without the items that hold large requests. */
export async function jobsOf(database: Database): Promise<StoredItem[]> {
  return (await itemsOf(database, 'ExportJobs')).filter(({ owner }) => !owner.endsWith('#request'));
}
