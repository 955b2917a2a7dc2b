// The worker's use case in this process: the real stores (through a wire proxy where a test wants one),
// files in memory, a renderer without a thread, a clock and a heartbeat that the test paces.

import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ownerOf } from '#export-jobs/create-port.ts';
import type { FilePort } from '#export-jobs/file-port.ts';
import { type RunOutcome, runExportJob } from '#export-jobs/run-export-job.ts';
import type { RunOptions, RunPorts } from '#export-jobs/run-port.ts';
import { wire } from '#handlers/wiring.ts';
import { sleepUntilAborted } from '#handlers/world.ts';
import type { Clock } from '#idempotency/budget.ts';
import { epochMs } from '#idempotency/epoch.ts';
import type { RenderArticle } from '#rendering/render-article.ts';
import { renderArticleHere } from '#rendering/render-article.ts';
import { spoolFile } from '#store/spool-file.ts';
import { connectionOf, type Service, serviceEnvironment } from '#test/support/service.ts';
import { simulatedFiles } from '#test/support/simulated/files.ts';
import { itemsOf, type StoredItem } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';

export const ISSUER = 'https://issuer.test';

export type WorkerOptions = {
  readonly endpoint?: string;
  readonly files?: FilePort;
  readonly renderArticle?: RenderArticle;
  readonly clock?: Clock;
  readonly environment?: Partial<RunOptions>;
  readonly ports?: Partial<RunPorts>;
};

export type Worker = {
  readonly run: (jobId: string, subject?: string) => Promise<RunOutcome>;
  readonly ports: RunPorts;
  readonly close: () => void;
};

/** A worker on the database of a service, with a lease of five seconds. */
export function startWorker(service: Service, options: WorkerOptions = {}): Worker {
  const { leases, jobs, articles, tries, retries, dynamoDb } = wire({
    environment: serviceEnvironment(service.database, {
      STORE_TRY_TIMEOUT_MS: '300',
      STORE_BACKOFF_BASE_MS: '2',
      STORE_BACKOFF_CAP_MS: '20',
    }),
    connection: connectionOf(service.database, options.endpoint),
    log: testLog,
    signals: noSignals,
  });
  const ports: RunPorts = {
    leases,
    jobs,
    articles,
    files: options.files ?? simulatedFiles(),
    spool: spoolFile,
    openRenderer: () => ({
      renderArticle: options.renderArticle ?? renderArticleHere,
      close: async () => undefined,
    }),
    ...options.ports,
  };
  const environment: RunOptions = {
    tries: {
      clock: options.clock ?? {
        nowMs: () => epochMs(Date.now()),
        monotonicMs: () => performance.now(),
      },
      policy: tries,
      retries,
      random: Math.random,
      newToken: randomUUID,
      sleepMs: (ms) => sleepUntilAborted(ms),
    },
    newLeaseId: randomUUID,
    sleepMs: sleepUntilAborted,
    platformRemainingMs: () => 900_000,
    leaseMs: 5_000,
    heartbeatMs: 50,
    runsMax: 5,
    jobMarkdownBytesMax: 50_000_000,
    jobRetentionMs: 30 * 86_400_000,
    ...options.environment,
  };
  return {
    ports,
    run: (jobId, subject = 'alice') =>
      runExportJob({ owner: ownerOf({ issuer: ISSUER, subject }), jobId }, ports, environment),
    close: () => dynamoDb.destroy(),
  };
}

/** The job as it stands in the table. */
export async function storedJob(service: Service, jobId: string, subject = 'alice') {
  const owner = ownerOf({ issuer: ISSUER, subject });
  const { Item } = await service.database.client.send(
    new GetItemCommand({
      TableName: 'ExportJobs',
      ConsistentRead: true,
      Key: { owner: { S: owner }, jobId: { S: jobId } },
    }),
  );
  return Item && (unmarshall(Item) as StoredItem);
}

export async function notificationsOf(service: Service, jobId: string): Promise<StoredItem[]> {
  return (await itemsOf(service.database, 'Notifications')).filter((row) => row.jobId === jobId);
}

/** A latch: `opened` settles when `open` is called. */
export function latch() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { opened, open };
}
