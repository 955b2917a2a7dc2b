// A job as lines for people.

import type { ExportJob } from '#client/export-job.ts';

export function rowOf({ id, status, createdAt, format, articleCount, title }: ExportJob): string {
  const articles = `${articleCount}`.padStart(3);
  return `${id}  ${status.padEnd(9)}  ${createdAt}  ${format.padEnd(8)}  ${articles}  ${oneLine(title)}`.trimEnd();
}

export function describeJob(job: ExportJob): string {
  const rows: [string, string | undefined][] = [
    ['job', job.id],
    ['status', job.cancelRequested ? `${job.status}, cancel requested` : job.status],
    ['articles', `${job.progress.done}/${job.progress.total}`],
    ['format', job.format],
    ['title', job.title && oneLine(job.title)],
    ['source batch', job.sourceBatchId],
    ['key', job.idempotencyKey],
    ['created', job.createdAt],
    ['finished', job.finishedAt],
    ['file', job.file && `${job.file.bytes} bytes, sha256 ${job.file.sha256}`],
    ['error', job.error && `${job.error.code}: ${oneLine(job.error.detail)}`],
    ['missing', job.error?.articleIds?.join(', ')],
  ];
  return rows
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.padEnd(13)} ${value}`)
    .join('\n');
}

/** A title is someone's text: no control characters on a terminal. */
export function oneLine(text = ''): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}
