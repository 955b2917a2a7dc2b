import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { makeTables } from '#local/dynamodb/make-tables.ts';
import { emptyDatabase, freshDatabase } from '#test/support/dynamodb.ts';

const ALL = ['IdempotencyKeys', 'ExportJobs', 'BusinessKeys', 'Articles', 'Notifications'];

describe('make-tables', () => {
  it('makes what is missing, and nothing when run again', async () => {
    const { client } = emptyDatabase();

    const first = await makeTables(client);
    const second = await makeTables(client);

    expect(first).toEqual(ALL);
    expect(second).toEqual([]);
  });

  it('makes each table once when two run at the same time', async () => {
    const { client } = emptyDatabase();

    const both = await Promise.all([makeTables(client), makeTables(client)]);

    expect(both.flat().sort()).toEqual([...ALL].sort());
  });

  it('keeps items of a table that exists', async () => {
    const { client } = await freshDatabase();
    const Item = { pk: { S: 'p' }, jobId: { S: 'j' } };
    await client.send(new PutItemCommand({ TableName: 'BusinessKeys', Item }));

    await makeTables(client);

    const { Items } = await client.send(
      new QueryCommand({
        TableName: 'BusinessKeys',
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': { S: 'p' } },
      }),
    );
    expect(Items).toEqual([Item]);
  });

  it('gives every test its own database', async () => {
    const [mine, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    const Item = { pk: { S: 'p' } };
    await mine.client.send(new PutItemCommand({ TableName: 'BusinessKeys', Item }));

    const { Table } = await other.client.send(
      new DescribeTableCommand({ TableName: 'BusinessKeys' }),
    );

    expect(Table?.ItemCount).toBe(0);
  });

  it('purges every table but BusinessKeys and Articles by purgeAtSeconds', async () => {
    const { client } = await freshDatabase();

    const ttl = await Promise.all(
      ALL.map(async (TableName) => {
        const answer = await client.send(new DescribeTimeToLiveCommand({ TableName }));
        return [TableName, answer.TimeToLiveDescription?.AttributeName];
      }),
    );

    expect(Object.fromEntries(ttl)).toEqual({
      IdempotencyKeys: 'purgeAtSeconds',
      ExportJobs: 'purgeAtSeconds',
      BusinessKeys: undefined,
      Articles: undefined,
      Notifications: 'purgeAtSeconds',
    });
  });

  it('lists articles by an index of the same keys that leaves the text out', async () => {
    const { client } = await freshDatabase();
    const shown = { owner: { S: 'o' }, articleId: { S: 'a' }, title: { S: 't' }, etag: { S: 'e' } };
    await client.send(
      new PutItemCommand({ TableName: 'Articles', Item: { ...shown, markdown: { S: 'text' } } }),
    );

    const { Items } = await client.send(
      new QueryCommand({
        TableName: 'Articles',
        IndexName: 'ArticleList',
        KeyConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': { S: 'o' } },
      }),
    );

    expect(Items).toEqual([shown]);
  });
});
