// Stores to audit: as many intents as asked for, made by the real create (its port only writes down what
// it would send), a part of them run to their end; written in batches, since an audit cares for what is
// stored and not for who wrote it.

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { v7 } from 'uuid';
import { CREATE_EXPORT_JOB, createExportJob } from '#export-jobs/create-export-job.ts';
import type { ExportJobEffect } from '#export-jobs/create-port.ts';
import type { Job } from '#export-jobs/job.ts';
import type { Finish } from '#export-jobs/job-lease-port.ts';
import { jobPurgeAtSeconds } from '#export-jobs/job-purge.ts';
import { pathsBelow } from '#http/paths.ts';
import { receiptMaker } from '#http/receipt.ts';
import { type EpochMs, epochMs, plusMs } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { type Principal, recordKeyOf } from '#idempotency/scope.ts';
import { commitActions } from '#store/commit-store.ts';
import { createPlan } from '#store/export-job-commit-store.ts';
import { type Item, MARSHALL_OPTIONS } from '#store/item.ts';
import { notificationItem } from '#store/notification-item.ts';
import { POLICY } from '#test/support/idempotency-fixtures.ts';
import { ENDLESS, triesOn } from '#test/support/tries.ts';

/** Intents are made under R 24 h and G 12 h: an audit of them must know. */
export const SCHEDULE = '[{"from":"2026-01-01T00:00:00Z","window":"PT24H","grace":"PT12H"}]';
const J_MS = 30 * 86_400_000;
const TABLES = {
  idempotencyKeys: 'IdempotencyKeys',
  exportJobs: 'ExportJobs',
  businessKeys: 'BusinessKeys',
  articles: 'Articles',
  notifications: 'Notifications',
};
const BATCH_ITEMS_MAX = 25;
/** Unfinished jobs stand among the last so many: those of a large store would be stuck once it is filled. */
const YOUNG_AMONG = 1_000;

export type Stored = { readonly table: string; readonly item: Item };
export type MadeIntent = {
  readonly principal: Principal;
  readonly key: string;
  readonly jobId: string;
  readonly record: CommittedRecord;
  readonly stored: readonly Stored[];
};

export type IntentOptions = {
  readonly atMs: EpochMs;
  readonly key?: string;
  readonly subject?: string;
  readonly sourceBatchId?: string;
  readonly articleIds?: readonly string[];
  readonly finished?: boolean;
};

/** What one create, and the end of its job if asked for, would have stored. */
export async function makeIntent(options: IntentOptions): Promise<MadeIntent> {
  const { atMs, subject = 'alice', sourceBatchId, articleIds = ['a-1'] } = options;
  const principal = { issuer: 'https://issuer.test', subject };
  const key = parseIdempotencyKey(options.key ?? v7({ msecs: atMs }));
  if (!key) throw new Error('no key');
  const recordKey = recordKeyOf(principal, CREATE_EXPORT_JOB, key.value);
  const body = {
    articleIds: [...articleIds],
    format: 'text' as const,
    ...(sourceBatchId && { sourceBatchId }),
  };
  const fingerprint = fingerprintOf(body, recordKey);
  if (!fingerprint) throw new Error('no fingerprint');
  let caught: { record: CommittedRecord; effect: ExportJobEffect } | undefined;
  await createExportJob(
    {
      principal,
      key,
      recordKey,
      fingerprint,
      params: body,
      receiptOf: receiptMaker(pathsBelow('')),
    },
    {
      readRecord: async () => ({ kind: 'none' }),
      readClaim: async () => ({ kind: 'none' }),
      prepare(record, effect) {
        caught = { record, effect };
        return { send: async () => ({ kind: 'committed' }) };
      },
    },
    {
      tries: triesOn({ nowMs: () => atMs, monotonicMs: () => 0 }, { budget: ENDLESS }),
      retention: POLICY,
      attemptHint: 1,
      readFirst: false,
      newJobId: (ms) => v7({ msecs: ms }),
      newAttemptId: () => 'attempt',
    },
  );
  if (!caught) throw new Error('nothing was prepared');
  const { record, effect } = caught;
  const due = { queuedAfterMs: 120_000, leaseOverdueMs: 30_000, requestKeptMs: 2 * J_MS };
  const actions = commitActions(record, effect, createPlan(TABLES, due));
  const stored = actions.map(({ view: { table }, input }) => ({
    table,
    item: input.Put?.Item ?? {},
  }));
  return {
    principal,
    key: key.value,
    jobId: effect.job.jobId,
    record,
    stored: options.finished ? finished(stored, effect.job) : stored,
  };
}

/** The same, with the job at its end and its notification. */
function finished(stored: readonly Stored[], job: Job): Stored[] {
  const finishedAtMs = plusMs(job.createdAtMs, 5_000);
  const purgeAtSeconds = jobPurgeAtSeconds(finishedAtMs, job.keyPurgeAtSeconds, J_MS);
  const file = { bytes: 10, sha256: 'a'.repeat(64) };
  const finish: Finish = {
    job: { ...job, run: 1, leaseId: 'lease' },
    held: { by: 'fence', fence: { run: 1, leaseId: 'lease' } },
    end: { status: 'succeeded', file },
    finishedAtMs,
    purgeAtSeconds,
  };
  const rows = stored.map(({ table, item }) => {
    if (table !== 'ExportJobs' || item.status === undefined) return { table, item };
    const { sweepShard: _, dueAtMs: __, ...rest } = item;
    const end = {
      status: 'succeeded',
      run: 1,
      leaseId: 'lease',
      finishedAtMs,
      purgeAtSeconds,
      file,
    };
    return { table, item: { ...rest, ...end, startedAtMs: finishedAtMs } };
  });
  return [...rows, { table: 'Notifications', item: notificationItem(finish) }];
}

/** Intents of the last hours but one, nine of ten finished at least, one of five with a batch, some with many articles. */
export async function* makeIntents(count: number, nowMs: number): AsyncGenerator<MadeIntent> {
  const many = Array.from({ length: 60 }, (_, n) => `article-with-a-long-name-${n}`);
  for (let n = 0; n < count; n += 1) {
    const isYoung = n % 10 === 0 && n >= count - YOUNG_AMONG;
    yield await makeIntent({
      // Unfinished ones are young enough to be waiting by right; the others are hours old.
      atMs: epochMs(nowMs - (isYoung ? 100_000 : 3_600_000 + (n % 36_000_000))),
      subject: `subject-${n % 50}`,
      finished: !isYoung,
      ...(n % 2 === 0 && { key: `opaque-${n}` }),
      ...(n % 5 === 0 && { sourceBatchId: `batch-${n}` }),
      ...(n % 20 === 1 && { articleIds: many }),
    });
  }
}

export async function store(client: DynamoDBClient, all: readonly Stored[]): Promise<void> {
  const document = DynamoDBDocumentClient.from(client, {
    marshallOptions: { ...MARSHALL_OPTIONS },
  });
  for (let from = 0; from < all.length; from += BATCH_ITEMS_MAX) {
    const RequestItems: Record<string, { PutRequest: { Item: Record<string, unknown> } }[]> = {};
    for (const { table, item } of all.slice(from, from + BATCH_ITEMS_MAX)) {
      const requests = RequestItems[table] ?? [];
      RequestItems[table] = [...requests, { PutRequest: { Item: { ...item } } }];
    }
    const { UnprocessedItems } = await document.send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('not all was written');
  }
}
