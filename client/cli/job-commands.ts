// `status`, `wait`, `list`, `cancel`: jobs as they are.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import type { ExportJob, JobStatus } from '#client/export-job.ts';

export interface ListFlags {
  readonly status?: JobStatus;
  readonly sourceBatchId?: string;
  readonly idempotencyKey?: string;
  /** Jobs to show at most. */
  readonly max: number;
}

const PAGE_ITEMS_MAX = 100;

export async function statusCommand(
  jobId: string,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const job = await client.getJob(jobId, { signal });
  out.result(job, describe(job));
  return EXIT.done;
}

export async function waitCommand(
  jobId: string,
  { timeoutMs }: { readonly timeoutMs?: number },
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const progress = out.progress('articles');
  let job: ExportJob;
  try {
    job = await client.waitForJob(jobId, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      onProgress: (seen) => progress.show(seen.progress.done, seen.progress.total, seen.status),
    });
  } finally {
    progress.stop();
  }
  out.result(job, describe(job));
  return job.status === 'succeeded' ? EXIT.done : EXIT.jobEndedOtherwise;
}

export async function listCommand(
  { max, ...filters }: ListFlags,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  let shown = 0;
  if (max > 0) {
    const pageSize = Math.min(max, PAGE_ITEMS_MAX);
    for await (const job of client.listJobs({ ...filters, pageSize, signal })) {
      out.result(job, rowOf(job));
      shown += 1;
      if (shown >= max) break;
    }
  }
  if (shown === 0) out.note('No jobs.');
  return EXIT.done;
}

export async function cancelCommand(
  jobId: string,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const job = await client.cancelJob(jobId, { signal });
  const text =
    job.status === 'cancelled' ? 'Cancelled.' : 'Asked to cancel; the worker will stop soon.';
  out.result(job, text);
  return EXIT.done;
}

function rowOf({ id, status, createdAt, format, articleCount, title }: ExportJob): string {
  const articles = `${articleCount}`.padStart(3);
  return `${id}  ${status.padEnd(9)}  ${createdAt}  ${format.padEnd(8)}  ${articles}  ${oneLine(title)}`.trimEnd();
}

function describe(job: ExportJob): string {
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
