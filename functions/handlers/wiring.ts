// The one place where parts meet: configuration, clients, stores, routes. Effects on import stay in the
// handler files; each calls the one function it needs, so that nothing else is made.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { v7 as uuidV7 } from 'uuid';
import { createRenderThread } from '#export-jobs/render/render-thread.ts';
import { type Config, readConfig } from '#handlers/config.ts';
import { createLog } from '#handlers/log.ts';
import type { World } from '#http/attempt.ts';
import type { Edge } from '#http/edge.ts';
import { epochMs } from '#idempotency/epoch.ts';
import type { TryPolicy } from '#idempotency/store-tries.ts';
import { createArticleStore } from '#store/article-store.ts';
import { createDynamoDbClient } from '#store/dynamodb-client.ts';
import { createExportJobCommitStore } from '#store/export-job-commit-store.ts';
import { createFileStore, createS3Client } from '#store/file-store.ts';
import { createIdempotencyStore } from '#store/idempotency-store.ts';
import { createJobHandOver } from '#store/job-hand-over.ts';
import { createJobLeaseStore } from '#store/job-lease-store.ts';
import { createJobReadStore } from '#store/job-read-store.ts';
import { spoolFile } from '#store/spool-file.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import type { TableNames } from '#store/tables.ts';
import { type RunSettings, runJobHandler } from '#worker/run-job.ts';
import { sweepJobsHandler } from '#worker/sweep-jobs.ts';

/** 72 days: the SDK resolves no longer wait, and no budget of ours is near it. */
const SLEEP_MS_MAX = 2 ** 31 - 1;

export const config: Config = readConfig(process.env);
const log = createLog();

export const world: World = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  newToken: () => randomUUID(),
  newJobId: (atMs) => uuidV7({ msecs: atMs }),
  sleepMs: (ms) => sleep(Math.min(ms, SLEEP_MS_MAX)),
};

const tries: TryPolicy = {
  tryTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
  triesMax: config.STORE_TRIES_MAX,
  backoffBaseMs: config.STORE_BACKOFF_BASE_MS,
  backoffCapMs: config.STORE_BACKOFF_CAP_MS,
};

export const edgeWiring: Edge = {
  config: {
    budgetMs: config.CREATE_BUDGET_MS,
    platformReserveMs: config.PLATFORM_RESERVE_MS,
    lookUpReserveMs: config.LOOK_UP_RESERVE_MS,
    tries,
    retention: config.retention,
    readFirst: config.READ_FIRST === 'on',
    allowedOrigins: config.ALLOWED_ORIGINS,
  },
  world,
  log,
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
};

const dynamoDb = createDynamoDbClient({
  connectTimeoutMs: config.STORE_CONNECT_TIMEOUT_MS,
  tryTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
});

export const records = createIdempotencyStore(dynamoDb, tables.idempotencyKeys);
export const commits = createExportJobCommitStore(dynamoDb, tables, { records, due });
export const jobs = createJobReadStore(dynamoDb, tables);
export const leases = createJobLeaseStore(dynamoDb, tables, due);
export const articles = createArticleStore(dynamoDb, tables);
export const fileStore = () =>
  createFileStore(
    createS3Client({ forcePathStyle: config.S3_FORCE_PATH_STYLE }),
    config.EXPORTS_BUCKET,
  );

export const handOver = () => createJobHandOver(new LambdaClient({}), config.RUN_JOB_FUNCTION);
export const workerLog = log;

/** @param renderThreadUrl the bundle of render-article-thread, beside that of run-job */
export function wireRunJob(renderThreadUrl: URL) {
  const settings: RunSettings = {
    clock: { nowMs: () => epochMs(world.nowMs()), monotonicMs: world.monotonicMs },
    policy: tries,
    random: world.random,
    newToken: world.newToken,
    newLeaseId: world.newToken,
    sleepMs: sleepUntilAborted,
    leaseMs: config.LEASE_MS,
    heartbeatMs: config.HEARTBEAT_MS,
    runsMax: config.RUNS_MAX,
    jobMarkdownBytesMax: config.JOB_MARKDOWN_BYTES_MAX,
    jobRetentionMs: config.JOB_RETENTION.ms,
  };
  const openRenderer = () =>
    createRenderThread({
      timeoutMs: config.ARTICLE_RENDER_TIMEOUT_MS,
      heapMb: config.ARTICLE_RENDER_HEAP_MB,
      entryUrl: renderThreadUrl,
    });
  const ports = { leases, jobs, articles, files: fileStore(), spool: spoolFile, openRenderer };
  return runJobHandler(ports, settings, log);
}

export function wireSweepJobs() {
  return sweepJobsHandler(
    createSweepStore(dynamoDb, tables),
    handOver(),
    {
      nowMs: world.nowMs,
      jobsMax: config.SWEEP_JOBS_MAX,
      putOffMs: config.SWEEP_PUT_OFF_MS,
      storeTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
    },
    log,
  );
}

async function sleepUntilAborted(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(Math.min(ms, SLEEP_MS_MAX), undefined, signal ? { signal } : {});
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
