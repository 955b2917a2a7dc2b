// The one place where parts meet: configuration, clients, stores. Tests wire the same parts with an
// address and a clock of their own.

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type Config, readConfig } from '#handlers/config.ts';
import { createLog } from '#handlers/log.ts';
import { createSignals } from '#handlers/measure.ts';
import { realWorld } from '#handlers/world.ts';
import type { World } from '#http/attempt.ts';
import type { Edge, Log, Signals } from '#http/edge-parts.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import type { TryPolicy } from '#idempotency/tries.ts';
import { createArticleStore } from '#store/article-store.ts';
import { createDynamo } from '#store/dynamo.ts';
import { createDynamoDbClient } from '#store/dynamodb-client.ts';
import { createExportJobCommitStore } from '#store/export-job-commit-store.ts';
import { createIdempotencyStore } from '#store/idempotency-store.ts';
import { createJobLeaseStore } from '#store/job-lease-store.ts';
import { createJobReadStore } from '#store/job-read-store.ts';
import type { TableNames } from '#store/tables.ts';

/** No job is unfinished for longer: the sweep and the limit of runs see to that, milliseconds. */
const UNFINISHED_MS_MAX = 7 * 86_400_000;

export type WiringOptions = {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly world?: World;
  /** Where DynamoDB is, and under whose credentials; else as the SDK finds it. */
  readonly connection?: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;
  readonly log?: Log;
  readonly signals?: Signals;
};

/** @throws ConfigError */
export function wire({
  environment = process.env,
  world = realWorld,
  connection = {},
  log = createLog(),
  signals = createSignals(environment.STAGE),
}: WiringOptions = {}) {
  const config = readConfig(environment);
  const tries = triesOf(config);
  const retries = createRetryBudget(config.STORE_RETRY_TOKENS_MAX);
  const edge: Edge = {
    config: {
      budgetMs: config.CREATE_BUDGET_MS,
      platformReserveMs: config.PLATFORM_RESERVE_MS,
      lookUpReserveMs: config.LOOK_UP_RESERVE_MS,
      tries,
      retries,
      retention: config.retention,
      readFirst: config.READ_FIRST === 'on',
      allowedOrigins: config.ALLOWED_ORIGINS,
    },
    world,
    log,
    signals,
  };
  const tables: TableNames = {
    idempotencyKeys: config.TABLE_IDEMPOTENCY_KEYS,
    exportJobs: config.TABLE_EXPORT_JOBS,
    businessKeys: config.TABLE_BUSINESS_KEYS,
    articles: config.TABLE_ARTICLES,
    notifications: config.TABLE_NOTIFICATIONS,
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
  const dynamo = createDynamo(client);
  return {
    config,
    tries,
    retries,
    log,
    signals,
    edge,
    tables,
    dynamo,
    dynamoDb: client,
    records: createIdempotencyStore(dynamo, tables.idempotencyKeys),
    commits: createExportJobCommitStore(dynamo, tables, due),
    jobs: createJobReadStore(dynamo, tables),
    leases: createJobLeaseStore(dynamo, tables, due),
    articles: createArticleStore(dynamo, tables),
  };
}

export type Wiring = ReturnType<typeof wire>;

function triesOf(config: Config): TryPolicy {
  return {
    tryTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
    triesMax: config.STORE_TRIES_MAX,
    backoffBaseMs: config.STORE_BACKOFF_BASE_MS,
    backoffCapMs: config.STORE_BACKOFF_CAP_MS,
  };
}
