// The tables themselves: TTL where it must be and nowhere else; on AWS also what protects them.
// A table that was restored has none of it.

import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Violation } from '#ops/audit/violation.ts';
import { OpsError } from '#ops/ops-error.ts';
import { TABLES, type TableNames, type TableShape } from '#store/tables.ts';

type Name = keyof TableNames;

/**
 * @param isLocal one machine: no recovery, no deletion protection
 * @throws OpsError
 */
export async function tableFaults(
  client: DynamoDBClient,
  tables: TableNames,
  isLocal: boolean,
): Promise<Violation[]> {
  const found: Violation[] = [];
  try {
    for (const table of Object.keys(TABLES) as Name[]) {
      const TableName = tables[table];
      found.push(...(await ttlFaults(client, table, TableName)));
      if (!isLocal) found.push(...(await protectionFaults(client, table, TableName)));
    }
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    throw new OpsError(
      `The tables cannot be described (${name}). Check that they exist, the region, and your rights.`,
    );
  }
  return found;
}

async function ttlFaults(
  client: DynamoDBClient,
  table: Name,
  TableName: string,
): Promise<Violation[]> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const { TimeToLiveStatus: status, AttributeName } = TimeToLiveDescription ?? {};
  const isOn = status === 'ENABLED' || status === 'ENABLING';
  const { ttl }: TableShape = TABLES[table];
  const actual = isOn ? AttributeName : undefined;
  if (actual === ttl) return [];
  const detail = ttl
    ? `TTL is ${actual ? `on ${actual}` : 'off'} and must be on ${ttl}`
    : `TTL is on ${actual}: nothing here may ever be purged`;
  return [{ code: 'table-ttl', table, item: TableName, detail }];
}

async function protectionFaults(
  client: DynamoDBClient,
  table: Name,
  TableName: string,
): Promise<Violation[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const recovery =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  const missing = [
    !Table?.DeletionProtectionEnabled && 'deletion protection',
    recovery !== 'ENABLED' && 'point-in-time recovery',
    Table?.SSEDescription?.Status !== 'ENABLED' && 'encryption with the managed key',
    table === 'exportJobs' && !Table?.StreamSpecification?.StreamEnabled && 'its stream',
  ].filter((name): name is string => typeof name === 'string');
  return missing.map((name) => ({
    code: 'table-unprotected',
    table,
    item: TableName,
    detail: `${name} is off`,
  }));
}
