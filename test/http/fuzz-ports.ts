// Ports that answer anything that their contracts allow, at random, and count what was sent to be written.

import {
  articleOf,
  type DeleteArticleResult,
  type PutArticleResult,
} from '#export-jobs/article.ts';
import type { Job } from '#export-jobs/job.ts';
import type { ClaimResult, FinishResult, HeldResult } from '#export-jobs/job-lease-port.ts';
import type { AbandonPort, CommitResult, PutAbandonedResult } from '#idempotency/commit-port.ts';
import { epochMs, epochSecondsCeil } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import type { Random } from '#test/http/fuzz-events.ts';
import type { Ports } from '#test/support/routes.ts';

export const NOW_MS = 1_780_000_000_000;

/** Ports that answer anything they may, and count what was sent to be written. */
export function fakePorts(random: Random): Ports & { readonly writes: () => number } {
  let writes = 0;
  const write = <T>(...results: readonly T[]): T => {
    writes += 1;
    return random.one(results);
  };
  const read = <T>(value: () => T) =>
    random.one([
      () => ({ kind: 'found', value: value() }) as const,
      () => ({ kind: 'none' }) as const,
      () => ({ kind: 'failed' }) as const,
    ])();
  const notApplied = { kind: 'not-applied', why: 'throttled' } as const;
  const unknown = { kind: 'unknown', why: 'reset' } as const;
  const record = () => anyRecord(random);
  const job = () => anyJob(random);
  const article = articleOf(
    { owner: 'o', articleId: 'a-1' },
    { title: 'T', markdown: 'x' },
    epochMs(NOW_MS),
  );
  const claim = { recordKey: 'r', resourceId: anyJob(random).jobId, createdAtMs: epochMs(NOW_MS) };
  const records: AbandonPort = {
    readRecord: async () => read(record),
    putAbandoned: async () =>
      write<PutAbandonedResult>(
        { kind: 'committed' },
        { kind: 'record-exists', record: record() },
        notApplied,
        unknown,
      ),
    renewAbandoned: async () =>
      write<PutAbandonedResult>(
        { kind: 'committed' },
        { kind: 'record-exists', record: record() },
        notApplied,
        unknown,
      ),
  };
  return {
    writes: () => writes,
    records,
    commits: {
      readRecord: records.readRecord,
      readClaim: async () => read(() => claim),
      prepare: () => ({
        send: async () =>
          write<CommitResult>(
            { kind: 'committed' },
            { kind: 'record-exists', record: record() },
            { kind: 'claim-taken', claim },
            notApplied,
            unknown,
          ),
      }),
    },
    jobs: {
      readJob: async () => read(job),
      readArticleIds: async () => read(() => ['a-1', 'a-2']),
      listJobs: async () => read(() => ({ jobs: [job()], nextAfterJobId: job().jobId })),
      readClaim: async () => read(() => claim),
    },
    leases: {
      claimLease: async () => write<ClaimResult>({ kind: 'held' }),
      renewLease: async () => write<HeldResult>({ kind: 'stale' }),
      releaseLease: async () => write<HeldResult>({ kind: 'stale' }),
      requestCancel: async () =>
        write<HeldResult>({ kind: 'ok', job: job() }, { kind: 'stale' }, notApplied, unknown),
      finishIfHeld: async () =>
        write<FinishResult>(
          { kind: 'ok', job: job() },
          { kind: 'stale' },
          { kind: 'cancel-requested' },
          notApplied,
          unknown,
        ),
    },
    articles: {
      readArticle: async () => read(() => article),
      putArticle: async () =>
        write<PutArticleResult>(
          { kind: 'created', article },
          { kind: 'replaced', article },
          { kind: 'mismatch', currentEtag: article.etag },
          { kind: 'mismatch' },
          notApplied,
          unknown,
        ),
      deleteArticle: async () =>
        write<DeleteArticleResult>(
          { kind: 'deleted' },
          { kind: 'mismatch', currentEtag: article.etag },
          notApplied,
          unknown,
        ),
      listArticles: async () => read(() => ({ articles: [article], nextAfterArticleId: 'a-1' })),
    },
    files: {
      fileExists: async () => read(() => true as const),
      downloadUrl: async () => 'https://files.test/x',
    },
  };
}

function anyRecord(random: Random): IdempotencyRecord {
  const committedAtMs = epochMs(NOW_MS - random.one([0, 1_000, 86_400_000, 90_000_000]));
  const base = {
    recordKey: 'r',
    attemptId: random.one(['token', 'other']),
    committedAtMs,
    expiresAtMs: epochMs(committedAtMs + 86_400_000),
    purgeAtSeconds: epochSecondsCeil(epochMs(committedAtMs + 172_800_000)),
  };
  if (random.below(3) === 0) return { ...base, state: 'abandoned' };
  const fingerprint = fingerprintOf({ articleIds: ['a-1'], format: 'text' }, 'r');
  if (!fingerprint) throw new Error('no fingerprint');
  const { jobId } = anyJob(random);
  const receipt = {
    id: jobId,
    status: 'queued',
    createdAt: new Date(committedAtMs).toISOString(),
    keyExpiresAt: new Date(base.expiresAtMs).toISOString(),
    links: { self: `/v1/export-jobs/${jobId}` },
  };
  return {
    ...base,
    state: 'committed',
    fingerprint,
    receipt: Buffer.from(JSON.stringify(receipt)),
    resourceId: jobId,
  };
}

function anyJob(random: Random): Job {
  const status = random.one(['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const);
  return {
    owner: 'o',
    jobId: '019a4f5e-8c00-7d3a-9b1c-2f6f1c0e7a11',
    status,
    idempotencyKey: 'k',
    format: 'text',
    language: 'und',
    articleCount: 1,
    createdAtMs: epochMs(NOW_MS),
    progressDone: 0,
    run: 1,
    ...(status === 'succeeded' && { leaseId: 'lease', file: { bytes: 1, sha256: 'x' } }),
    ...(status === 'failed' && {
      error: { code: 'articles-missing', detail: 'An article is missing.', missing: [0] },
    }),
    ...(random.below(4) === 0 && { cancelRequested: true }),
    keyPurgeAtSeconds: epochSecondsCeil(epochMs(NOW_MS)),
  };
}
