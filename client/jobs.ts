// Jobs as they are: one, a list, cancelling one. Cancelling is idempotent by its target state, so it is
// retried without a key.

import { ask, pages } from '#client/ask.ts';
import type { CallOptions } from '#client/call-options.ts';
import type { CallContext, CallRequest } from '#client/call-request.ts';
import type { ExportJob, JobStatus } from '#client/export-job.ts';
import { checkedId, checkedKey } from '#client/idempotency-key.ts';
import type { JobReference } from '#client/operation.ts';
import { acceptJob, acceptPage } from '#client/shape.ts';

export interface ListJobsOptions extends CallOptions {
  readonly status?: JobStatus;
  readonly sourceBatchId?: string;
  readonly idempotencyKey?: string;
  /** Items of one page: 1 to 100. `timeoutMs` is for one page. */
  readonly pageSize?: number;
}

export async function getJob(
  jobId: string,
  options: CallOptions,
  context: CallContext,
): Promise<ExportJob> {
  return ask(jobRequest('GET', jobPath(jobId)), options, context);
}

export async function cancelJob(
  jobId: string,
  options: CallOptions,
  context: CallContext,
): Promise<ExportJob> {
  return ask(jobRequest('POST', `${jobPath(jobId)}/cancel`), options, context);
}

export async function* listJobs(
  { status, sourceBatchId, idempotencyKey, pageSize, ...options }: ListJobsOptions,
  context: CallContext,
): AsyncGenerator<ExportJob, void, undefined> {
  const key = idempotencyKey === undefined ? undefined : checkedKey(idempotencyKey);
  const query = { status, sourceBatchId, idempotencyKey: key, limit: pageSize };
  const acceptJobs = acceptPage(acceptJob);
  yield* pages('/v1/export-jobs', query, (path) =>
    ask(
      {
        method: 'GET',
        path,
        headers: {},
        effect: 'read',
        accept: ({ status: httpStatus, json }) =>
          httpStatus === 200 ? acceptJobs(json) : undefined,
      },
      options,
      context,
    ),
  );
}

export function jobPath(jobId: string): string {
  return `/v1/export-jobs/${checkedId(jobId, 'a job')}`;
}

export function isFinished({ status }: Pick<ExportJob, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

export function referenceOf({ id, links, status }: ExportJob): JobReference {
  return { id, href: links.self, status };
}

function jobRequest(method: 'GET' | 'POST', path: string): CallRequest<ExportJob> {
  return {
    method,
    path,
    headers: {},
    effect: method === 'GET' ? 'read' : 'write',
    accept: ({ status, json }) => (status === 200 ? acceptJob(json) : undefined),
  };
}
