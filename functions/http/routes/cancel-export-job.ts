// POST /v1/export-jobs/{jobId}/cancel: by the job's state rules; needs no key. A body is not read.

import { ROUTES } from '#contract/routes.ts';
import { cancelExportJob } from '#export-jobs/cancel-export-job.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import { json, LOOK_AGAIN_MS } from '#http/answer.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { jobEtag, jobView } from '#http/job-view.ts';
import { jobReference } from '#http/paths.ts';
import { ProblemError } from '#http/problem.ts';
import { jobNamed, startReading } from '#http/reading.ts';

export function cancelExportJobRoute(
  ports: { readonly jobs: JobReadPort; readonly leases: JobLeasePort },
  edge: Edge,
  jobRetentionMs: number,
): Route {
  return {
    ...ROUTES.cancelExportJob,
    async answer(request) {
      const { tries } = startReading(request, edge);
      const outcome = await cancelExportJob(jobNamed(request), ports, { tries, jobRetentionMs });
      request.notes.outcome = outcome.kind;
      switch (outcome.kind) {
        case 'cancelled':
        case 'cancel-requested': {
          const view = jobView(outcome.job, edge.paths);
          return {
            ...json(200, view, { etag: `"${jobEtag(view)}"` }),
            ...(outcome.kind === 'cancel-requested' && { retryAfterMs: LOOK_AGAIN_MS }),
          };
        }
        case 'already-finished':
          throw new ProblemError('job-already-finished', {
            detail: `The job is ${outcome.job.status}; that does not change any more.`,
            job: { ...jobReference(outcome.job.jobId, edge.paths), status: outcome.job.status },
          });
        case 'absent':
          throw new ProblemError('job-not-found');
        case 'store-unavailable':
        case 'outcome-unknown':
          throw new ProblemError(outcome.kind);
      }
    },
  };
}
