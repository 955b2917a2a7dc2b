// GET /v1/export-jobs/{jobId}/file: a short-lived URL of the finished file.

import type { ExportFile } from '#contract/export-job.ts';
import { ROUTES } from '#contract/routes.ts';
import type { FilePort } from '#export-jobs/file-port.ts';
import { fileKeyOf, isFinished, type Job } from '#export-jobs/job.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import { readExportJob } from '#export-jobs/read-export-jobs.ts';
import { prefersJson } from '#http/accept.ts';
import { json } from '#http/answer.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { jobReference, type Paths } from '#http/paths.ts';
import { ProblemError } from '#http/problem.ts';
import { foundOr, jobNamed, startReading } from '#http/reading.ts';
import { plusMs, rfc3339 } from '#idempotency/epoch.ts';
import { fileExtensionOf } from '#rendering/file-kind.ts';

export function getExportFileRoute(
  ports: {
    readonly jobs: JobReadPort;
    readonly files: Pick<FilePort, 'fileExists' | 'downloadUrl'>;
  },
  edge: Edge,
  urlSeconds: number,
): Route {
  return {
    ...ROUTES.getExportFile,
    async answer(request) {
      const attempt = startReading(request, edge);
      const read = await readExportJob(jobNamed(request), ports.jobs, attempt.tries);
      const { job } = foundOr(read, 'job-not-found');
      const key = fileKeyOrProblem(job, edge.paths);
      foundOr(await ports.files.fileExists(key, attempt.tries.budget.remainingMs()), 'file-gone');
      const nowMs = attempt.tries.clock.nowMs();
      const url = await ports.files.downloadUrl(key, urlSeconds, nowMs);
      if (!prefersJson(request.header('accept')))
        return { status: 303, headers: { location: url } };
      const body: ExportFile = { url, expiresAt: rfc3339(plusMs(nowMs, urlSeconds * 1000)) };
      return json(200, body);
    },
  };
}

/** @throws ProblemError job-not-finished or job-has-no-file */
function fileKeyOrProblem(job: Job, paths: Paths): string {
  const reference = { ...jobReference(job.jobId, paths), status: job.status };
  if (!isFinished(job.status)) {
    throw new ProblemError('job-not-finished', { job: reference });
  }
  if (job.status !== 'succeeded' || job.leaseId === undefined) {
    throw new ProblemError('job-has-no-file', {
      detail: `The job is ${job.status}; there is no file.`,
      job: reference,
    });
  }
  return fileKeyOf(job, { run: job.run, leaseId: job.leaseId }, fileExtensionOf(job.format));
}
