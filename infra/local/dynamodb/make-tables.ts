// Makes the tables of infra/tables.yml on a DynamoDB endpoint, with their indexes, stream and TTL.
// Promises: safe to repeat and to run twice at once; an existing table keeps its items.
// Never deletes. Tables are named as their resources (no stage), and without deletion protection.

import { readFileSync } from 'node:fs';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTablesCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { parse } from 'yaml';
import * as z from 'zod';

const tableResourceSchema = z.object({
  Type: z.literal('AWS::DynamoDB::Table'),
  Properties: z.looseObject({
    AttributeDefinitions: z.array(z.unknown()),
    KeySchema: z.array(z.unknown()),
    GlobalSecondaryIndexes: z.array(z.unknown()).optional(),
    StreamSpecification: z.object({ StreamViewType: z.string() }).optional(),
    TimeToLiveSpecification: z.object({ AttributeName: z.string() }).optional(),
  }),
});

export interface TableDefinition {
  readonly name: string;
  readonly create: CreateTableCommandInput;
  readonly ttlAttribute: string | undefined;
}

/** Seconds until a table of a slow DynamoDB must be there. */
const ACTIVE_LIMIT_S = 120;

export function readTables(
  file: URL = new URL('../../tables.yml', import.meta.url),
): readonly TableDefinition[] {
  const { Resources } = z
    .object({ Resources: z.record(z.string(), tableResourceSchema) })
    .parse(parse(readFileSync(file, 'utf8')));
  return Object.entries(Resources).map(([name, { Properties: from }]) => ({
    name,
    ttlAttribute: from.TimeToLiveSpecification?.AttributeName,
    create: {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: from.AttributeDefinitions,
      KeySchema: from.KeySchema,
      ...(from.GlobalSecondaryIndexes && { GlobalSecondaryIndexes: from.GlobalSecondaryIndexes }),
      ...(from.StreamSpecification && {
        StreamSpecification: { StreamEnabled: true, ...from.StreamSpecification },
      }),
    } as CreateTableCommandInput,
  }));
}

/** @returns the names of the tables that were missing and are there now */
export async function makeTables(
  client: DynamoDBClient,
  tables: readonly TableDefinition[] = readTables(),
): Promise<readonly string[]> {
  const present = await existingNames(client);
  const made: string[] = [];
  // One after the other: AWS limits table operations that run at the same time, and indexes count.
  for (const table of tables) {
    if (!present.has(table.name) && (await create(client, table))) made.push(table.name);
    await expire(client, table, made.includes(table.name));
  }
  return made;
}

async function existingNames(client: DynamoDBClient): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let after: string | undefined;
  do {
    const page = await client.send(
      new ListTablesCommand(after === undefined ? {} : { ExclusiveStartTableName: after }),
    );
    for (const name of page.TableNames ?? []) names.add(name);
    after = page.LastEvaluatedTableName;
  } while (after !== undefined);
  return names;
}

async function create(client: DynamoDBClient, table: TableDefinition): Promise<boolean> {
  let mine = true;
  try {
    const { TableDescription } = await client.send(new CreateTableCommand(table.create));
    if (TableDescription?.TableStatus === 'ACTIVE') return true;
  } catch (failure) {
    // Somebody made it between our list and our create: as good as ours.
    if (!(failure instanceof ResourceInUseException)) throw failure;
    mine = false;
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table.name }));
  if (Table?.TableStatus !== 'ACTIVE') {
    await waitUntilTableExists(
      { client, maxWaitTime: ACTIVE_LIMIT_S, minDelay: 1, maxDelay: 2 },
      { TableName: table.name },
    );
  }
  return mine;
}

async function expire(
  client: DynamoDBClient,
  { name, ttlAttribute }: TableDefinition,
  isNew: boolean,
): Promise<void> {
  if (ttlAttribute === undefined) return;
  const expires = async () => {
    const { TimeToLiveDescription: ttl } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: name }),
    );
    return ttl?.TimeToLiveStatus === 'ENABLED' || ttl?.TimeToLiveStatus === 'ENABLING';
  };
  // A second UpdateTimeToLive within an hour is refused: only when it is off.
  if (!isNew && (await expires())) return;
  try {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
      }),
    );
  } catch (failure) {
    // Somebody turned it on between our look and our call: as good as ours.
    if (!(await expires())) throw failure;
  }
}
