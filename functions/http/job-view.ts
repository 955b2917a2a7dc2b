// A job as its owner sees it, and the entity tag that changes with anything shown.

import { createHash } from 'node:crypto';
import type { ExportJob } from '#contract/export-job.ts';
import type { Job } from '#export-jobs/job.ts';
import type { Paths } from '#http/paths.ts';
import { rfc3339 } from '#idempotency/epoch.ts';
import { contentTypeOf } from '#rendering/file-kind.ts';

/** @param articleIds names what is missing; without them a failure still tells how many */
export function jobView(job: Job, paths: Paths, articleIds = job.articleIds): ExportJob {
  const { error, file } = job;
  const missing = error?.missing?.flatMap((place) => articleIds?.[place] ?? []);
  const self = paths.job(job.jobId);
  return {
    id: job.jobId,
    status: job.status,
    idempotencyKey: job.idempotencyKey,
    format: job.format,
    language: job.language,
    articleCount: job.articleCount,
    ...(job.title !== undefined && { title: job.title }),
    ...(job.sourceBatchId !== undefined && { sourceBatchId: job.sourceBatchId }),
    createdAt: rfc3339(job.createdAtMs),
    ...(job.startedAtMs !== undefined && { startedAt: rfc3339(job.startedAtMs) }),
    ...(job.finishedAtMs !== undefined && { finishedAt: rfc3339(job.finishedAtMs) }),
    progress: { done: job.progressDone, total: job.articleCount },
    run: job.run,
    ...(job.cancelRequested && { cancelRequested: true }),
    ...(file && { file: { ...file, contentType: contentTypeOf(job.format) } }),
    ...(error && {
      error: {
        code: error.code,
        detail: error.detail,
        ...(missing && missing.length > 0 && { articleIds: missing }),
      },
    }),
    links: { self, cancel: `${self}/cancel`, file: `${self}/file` },
  };
}

/** Strong entity tag, without its quotes. */
export function jobEtag(view: ExportJob): string {
  return createHash('sha256').update(JSON.stringify(view), 'utf8').digest('base64url').slice(0, 22);
}
