// The ports over DynamoDB Local: the real stores and the real SDK, with the wire proxy in between. The items
// that no port writes are put around the proxy.

import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createArticleStore } from '#store/article-store.ts';
import { createBacklogStore, OUTBOX_SHARDS } from '#store/backlog-store.ts';
import { createDynamo } from '#store/dynamo.ts';
import { createDynamoDbClient } from '#store/dynamodb-client.ts';
import { createExportJobCommitStore } from '#store/export-job-commit-store.ts';
import { createIdempotencyStore } from '#store/idempotency-store.ts';
import { createJobLeaseStore } from '#store/job-lease-store.ts';
import { createJobReadStore } from '#store/job-read-store.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import type { TableNames } from '#store/tables.ts';
import { DUE } from '#test/ports/sample-values.ts';
import type { ItemName, StoreBench, StorePorts } from '#test/ports/store-bench.ts';
import { wireFaults } from '#test/ports/wire-faults.ts';
import { type Connection, freshDatabase } from '#test/support/dynamodb.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const TABLES: TableNames = {
  idempotencyKeys: 'IdempotencyKeys',
  exportJobs: 'ExportJobs',
  businessKeys: 'BusinessKeys',
  articles: 'Articles',
  notifications: 'Notifications',
};
/** A case that waits for an answer says how long by its own limit. */
const TIMES = { connectTimeoutMs: 2_000, tryTimeoutMs: 10_000 };

export type DynamoBench = StoreBench & { readonly proxy: WireProxy };

export async function openDynamoBench(): Promise<DynamoBench> {
  const database = await freshDatabase();
  const proxy = await startWireProxy(database.connection.endpoint);
  const stores = storesAt({ ...database.connection, endpoint: proxy.endpoint });
  const put = async (TableName: string, item: object) => {
    await database.client.send(new PutItemCommand({ TableName, Item: marshall(item) }));
  };
  return {
    proxy,
    ports: stores.ports,
    faults: wireFaults(proxy),
    spoil: (name) => put(placeOf(name).table, placeOf(name).key),
    async purge(name) {
      const { table: TableName, key } = placeOf(name);
      await database.client.send(new DeleteItemCommand({ TableName, Key: marshall(key) }));
    },
    owe: ({ jobId, dueAtMs }) =>
      put(TABLES.notifications, {
        owner: 'owner',
        notificationId: jobId,
        jobId,
        dueAtMs,
        dueShard: `${dueAtMs % OUTBOX_SHARDS}`,
      }),
    outbox: async () =>
      (await itemsOf(database, TABLES.notifications)).map(({ jobId, event }) => ({ jobId, event })),
    async close() {
      stores.close();
      await proxy.close();
      database.client.destroy();
    },
  };
}

function storesAt(connection: Connection): {
  readonly ports: StorePorts;
  readonly close: () => void;
} {
  const client = createDynamoDbClient(TIMES, connection);
  const dynamo = createDynamo(client);
  return {
    ports: {
      commits: createExportJobCommitStore(dynamo, TABLES, DUE),
      records: createIdempotencyStore(dynamo, TABLES.idempotencyKeys),
      leases: createJobLeaseStore(dynamo, TABLES, DUE),
      jobs: createJobReadStore(dynamo, TABLES),
      articles: createArticleStore(dynamo, TABLES),
      sweep: createSweepStore(dynamo, TABLES),
      backlog: createBacklogStore(dynamo, TABLES),
    },
    close: () => client.destroy(),
  };
}

function placeOf(name: ItemName): { readonly table: string; readonly key: object } {
  switch (name.of) {
    case 'record':
      return { table: TABLES.idempotencyKeys, key: { pk: name.key } };
    case 'claim':
      return { table: TABLES.businessKeys, key: { pk: name.key } };
    case 'job':
      return { table: TABLES.exportJobs, key: { owner: name.job.owner, jobId: name.job.jobId } };
    case 'article': {
      const { owner, articleId } = name.article;
      return { table: TABLES.articles, key: { owner, articleId } };
    }
  }
}
