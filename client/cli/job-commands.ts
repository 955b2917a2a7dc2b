// `status`, `list`, `cancel`: jobs as they are.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { describeJob, rowOf } from '#client/cli/job-lines.ts';
import type { JobStatus } from '#client/export-job.ts';
import { PAGE_ITEMS_MAX } from '#contract/limits.ts';

export interface ListFlags {
  readonly status?: JobStatus;
  readonly sourceBatchId?: string;
  readonly idempotencyKey?: string;
  /** Jobs to show at most. */
  readonly max: number;
}

export async function statusCommand(
  jobId: string,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const job = await client.getJob(jobId, { signal });
  out.result(job, describeJob(job));
  return EXIT.done;
}

export async function listCommand(
  { max, ...filters }: ListFlags,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  let shown = 0;
  const pageSize = Math.min(max, PAGE_ITEMS_MAX);
  for await (const job of client.listJobs({ ...filters, pageSize, signal })) {
    out.result(job, rowOf(job));
    shown += 1;
    if (shown >= max || !out.isHeard()) break;
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
