// GET /v1/export-jobs: own jobs, newest first. A page may be short or empty and still have a cursor.

import type { ExportJobList } from '#contract/export-job.ts';
import { jobIdSchema } from '#contract/grammar.ts';
import { listExportJobsQuerySchema } from '#contract/list-query.ts';
import { ROUTES } from '#contract/routes.ts';
import { ownerOf } from '#export-jobs/create-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import { listExportJobs } from '#export-jobs/read-export-jobs.ts';
import { json } from '#http/answer.ts';
import { makeCursor, readCursor } from '#http/cursor.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { jobView } from '#http/job-view.ts';
import { foundOr, startReading } from '#http/reading.ts';
import { principalOf } from '#http/request.ts';
import { parseOrProblem } from '#http/validate.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';

export function listExportJobsRoute(jobs: JobReadPort, edge: Edge): Route {
  return {
    ...ROUTES.listExportJobs,
    async answer(request) {
      const principal = principalOf(request);
      const { cursor, limit, ...filters } = parseOrProblem(
        listExportJobsQuerySchema,
        Object.fromEntries(request.query),
      );
      const boundTo = [
        'export-jobs',
        ownerOf(principal),
        filters.status ?? '',
        filters.sourceBatchId ?? '',
        // One key in every spelling: a UUIDv7 is lower-cased.
        parseIdempotencyKey(filters.idempotencyKey ?? '')?.value ?? '',
      ];
      const after =
        cursor === undefined ? {} : { afterJobId: readCursor(cursor, boundTo, jobIdSchema) };
      const attempt = startReading(request, edge);
      const read = await listExportJobs({ principal, limit, ...filters, ...after }, jobs, attempt);
      const page = foundOr(read, 'job-not-found');
      const body: ExportJobList = {
        items: page.jobs.map((job) => jobView(job, edge.paths)),
        ...(page.nextAfterJobId !== undefined && {
          cursor: makeCursor(page.nextAfterJobId, boundTo),
        }),
      };
      return json(200, body);
    },
  };
}
