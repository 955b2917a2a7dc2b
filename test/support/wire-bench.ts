// A database behind a wire proxy and a client in front of it, one a test, with the two writes that
// the proxy's own tests send.

import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { startWireProxy } from '#test/support/wire-proxy.ts';

export const TableName = 'BusinessKeys';

export type WireBench = Awaited<ReturnType<typeof openWireBench>>;

export async function openWireBench() {
  const database = await freshDatabase();
  const proxy = await startWireProxy(database.connection.endpoint);
  const client = new DynamoDBClient({
    ...database.connection,
    endpoint: proxy.endpoint,
    maxAttempts: 1,
  });
  const put = (pk: string, abortSignal?: AbortSignal) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { pk: { S: pk } },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnConsumedCapacity: 'TOTAL',
      }),
      abortSignal === undefined ? {} : { abortSignal },
    );
  const transact = (pk: string, token: string) =>
    client.send(
      new TransactWriteItemsCommand({
        ClientRequestToken: token,
        ReturnConsumedCapacity: 'TOTAL',
        TransactItems: [
          { Put: { TableName, Item: { pk: { S: pk } } } },
          { Put: { TableName: 'IdempotencyKeys', Item: { pk: { S: pk } } } },
        ],
      }),
    );
  const stored = async (pk: string) =>
    (
      await database.client.send(
        new GetItemCommand({ TableName, Key: { pk: { S: pk } }, ConsistentRead: true }),
      )
    ).Item !== undefined;
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'no error',
      (error: Error & { code?: string }) => error.code ?? error.name,
    );
  const close = async () => {
    client.destroy();
    await proxy.close();
  };
  return { database, proxy, put, transact, stored, errorOf, close };
}
