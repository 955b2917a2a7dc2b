// A database for one test file (or one test): empty, with all tables, seen by nobody else.
// Give `connection` to whatever shall reach it; through a wire proxy, swap the endpoint.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { isolatedKeyId } from '#local/dynamodb/dynamodb-local.ts';
import { makeTables, readTables } from '#local/dynamodb/make-tables.ts';
import { tableVariable } from '#local/dynamodb/table-variable.ts';

export interface Connection {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface Database {
  readonly connection: Connection;
  /** A plain client of the SDK's defaults, for arranging and for looking. */
  readonly client: DynamoDBClient;
  /** The same connection and the tables as environment variables, for child processes. */
  environment(endpoint?: string): Record<string, string>;
}

const TABLES = readTables();

/** A new, empty database with the tables of infra/tables.yml, on the run's DynamoDB Local. */
export async function freshDatabase(): Promise<Database> {
  const database = emptyDatabase();
  await makeTables(database.client, TABLES);
  return database;
}

/** As `freshDatabase`, without any table. */
export function emptyDatabase(): Database {
  const connection: Connection = {
    endpoint: inject('dynamoDbEndpoint'),
    region: 'us-east-1',
    credentials: { accessKeyId: isolatedKeyId(), secretAccessKey: 'local' },
  };
  return {
    connection,
    client: new DynamoDBClient(connection),
    environment: (endpoint = connection.endpoint) => ({
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: connection.region,
      AWS_ACCESS_KEY_ID: connection.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: connection.credentials.secretAccessKey,
      ...Object.fromEntries(TABLES.map(({ name }) => [tableVariable(name), name])),
    }),
  };
}
