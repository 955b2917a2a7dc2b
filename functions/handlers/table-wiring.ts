// The tables, and the one client that reaches them, for the functions that use them. Each makes the stores
// that it needs, and bundles no other.

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { readResource } from '#handlers/config.ts';
import type { EdgeWiring } from '#handlers/edge-wiring.ts';
import { createDynamo } from '#store/dynamo.ts';
import { createDynamoDbClient } from '#store/dynamodb-client.ts';
import type { TableNames } from '#store/tables.ts';

/** No job is unfinished for longer: the sweep and the limit of runs see to that, milliseconds. */
const UNFINISHED_MS_MAX = 7 * 86_400_000;

/** Where DynamoDB is, and under whose credentials; else as the SDK finds it. */
export type Connection = Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;

/** @throws ConfigError */
export function wireTables(
  { environment, config, log, signals }: EdgeWiring,
  connection: Connection = {},
) {
  const tables: TableNames = {
    idempotencyKeys: readResource(environment, 'TABLE_IDEMPOTENCY_KEYS'),
    exportJobs: readResource(environment, 'TABLE_EXPORT_JOBS'),
    businessKeys: readResource(environment, 'TABLE_BUSINESS_KEYS'),
    articles: readResource(environment, 'TABLE_ARTICLES'),
    notifications: readResource(environment, 'TABLE_NOTIFICATIONS'),
  };
  const due = {
    queuedAfterMs: config.SWEEP_QUEUED_AFTER_MS,
    leaseOverdueMs: config.SWEEP_LEASE_OVERDUE_MS,
    requestKeptMs: config.JOB_RETENTION.ms + UNFINISHED_MS_MAX,
  };
  const client = createDynamoDbClient(
    {
      connectTimeoutMs: config.STORE_CONNECT_TIMEOUT_MS,
      tryTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
    },
    connection,
    (call, failure) => {
      log.error('a store call failed', { call, answer: failure }, undefined);
      signals.measure('StoreFailure', 1);
    },
  );
  return { tables, due, dynamo: createDynamo(client), dynamoDb: client };
}
