// Records, jobs, articles and options for the cases of the suites: new names each time, instants that the
// case holds, so that nothing depends on when it runs.

import { v7 } from 'uuid';
import { type Article, articleOf } from '#export-jobs/article.ts';
import type { ExportJobEffect } from '#export-jobs/create-port.ts';
import type { Job, NewJob } from '#export-jobs/job.ts';
import type { Lease } from '#export-jobs/job-lease-port.ts';
import type { ReadOptions, SendOptions } from '#idempotency/commit-port.ts';
import { type EpochMs, epochMs, epochSecondsCeil, plusMs } from '#idempotency/epoch.ts';
import type { AbandonedRecord, CommittedRecord } from '#idempotency/record.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

/** When a sweep looks, and how long requests are kept, milliseconds. */
export const DUE = { queuedAfterMs: 120_000, leaseOverdueMs: 30_000, requestKeptMs: 86_400_000 };
/** Long enough for a busy machine, milliseconds. */
const PATIENCE_MS = 8_000;
/** Not before now, so that no purge time of a case has passed. */
export const NOW: EpochMs = epochMs(Date.now());
export const after = (ms: number): EpochMs => plusMs(NOW, ms);
const LIFE_MS = 86_400_000;

export const READ: ReadOptions = { consistent: true, timeoutMs: PATIENCE_MS };
export const GLANCE: ReadOptions = { ...READ, consistent: false };

let number = 0;
/** Another name each time. */
export function named(what: string): string {
  number += 1;
  return `${what}-${number}`;
}

export function sending(more: Partial<SendOptions> = {}): SendOptions {
  return {
    token: named('token'),
    maySend: () => true,
    afterUnknown: false,
    timeoutMs: PATIENCE_MS,
    ...more,
  };
}

const lifeOf = (fromMs: EpochMs) => ({
  committedAtMs: fromMs,
  expiresAtMs: plusMs(fromMs, LIFE_MS),
  purgeAtSeconds: epochSecondsCeil(plusMs(fromMs, 2 * LIFE_MS)),
});

export function committedRecord(recordKey = named('record')): CommittedRecord {
  return {
    state: 'committed',
    recordKey,
    attemptId: named('attempt'),
    ...lifeOf(NOW),
    fingerprint: { whole: 'v1:hash', members: { format: 'digest' } },
    receipt: Buffer.from('{"id":"receipt"}'),
    resourceId: v7(),
  };
}

export function abandonedRecord(recordKey = named('record')): AbandonedRecord {
  return { state: 'abandoned', recordKey, attemptId: named('attempt'), ...lifeOf(NOW) };
}

export function newJob(more: Partial<NewJob> = {}): NewJob {
  const createdAtMs = more.createdAtMs ?? NOW;
  const articleIds = more.articleIds ?? ['a-1', 'a-2'];
  return {
    owner: named('owner'),
    jobId: v7({ msecs: createdAtMs }),
    status: 'queued',
    idempotencyKey: named('key'),
    format: 'text',
    language: 'und',
    articleCount: articleIds.length,
    articleIds,
    createdAtMs,
    progressDone: 0,
    run: 0,
    keyPurgeAtSeconds: epochSecondsCeil(plusMs(createdAtMs, LIFE_MS)),
    ...more,
  };
}

/** What the intent of a record makes. */
export function effectOf(record: CommittedRecord, claimKey?: string): ExportJobEffect {
  const job = newJob({ jobId: record.resourceId });
  return { job, ...(claimKey !== undefined && { claimKey }) };
}

/** A job in the tables, as a create makes it. */
export async function storedJob(
  { ports }: StoreBench,
  more: Partial<NewJob> = {},
): Promise<NewJob> {
  const job = newJob(more);
  const record = { ...committedRecord(), resourceId: job.jobId };
  const sent = await ports.commits.prepare(record, { job }).send(sending());
  if (sent.kind !== 'committed') throw new Error(`a job could not be stored: ${sent.kind}`);
  return job;
}

export function leaseOf(more: Partial<Lease> = {}): Lease {
  const nowMs = more.nowMs ?? NOW;
  const leaseUntilMs = plusMs(nowMs, 60_000);
  return { leaseId: named('lease'), nowMs, leaseUntilMs, runsMax: 5, ...more };
}

/** A job of the tables under a lease. */
export async function claimedJob(on: StoreBench, more: Partial<Lease> = {}) {
  const stored = await storedJob(on);
  const lease = leaseOf(more);
  const claimed = await on.ports.leases.claimLease(stored, lease, sending());
  if (claimed.kind !== 'claimed') throw new Error(`a job could not be claimed: ${claimed.kind}`);
  const { job } = claimed;
  return { job, lease, fence: { run: job.run, leaseId: lease.leaseId } };
}

export async function jobAsRead({ ports }: StoreBench, job: Job): Promise<Job> {
  const read = await ports.jobs.readJob(job.owner, job.jobId, READ);
  if (read.kind !== 'found') throw new Error(`a job could not be read: ${read.kind}`);
  return read.value;
}

export function article(markdown: string, more: Partial<Article> = {}): Article {
  const name = { owner: more.owner ?? named('owner'), articleId: more.articleId ?? 'a-1' };
  return articleOf(name, { title: 'Title', markdown }, more.updatedAtMs ?? NOW);
}
