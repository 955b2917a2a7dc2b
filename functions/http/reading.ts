// Reads of routes that take no key: a failure of the store is a 503, nothing else is said.

import { jobIdSchema } from '#contract/grammar.ts';
import type { ProblemCode } from '#contract/problem-catalogue.ts';
import { ownerOf } from '#export-jobs/create-port.ts';
import type { JobName } from '#export-jobs/job.ts';
import { type Attempt, startAttempt } from '#http/attempt.ts';
import type { Edge } from '#http/edge-parts.ts';
import { ProblemError } from '#http/problem.ts';
import { type HttpRequest, principalOf } from '#http/request.ts';
import type { ReadResult } from '#idempotency/commit-port.ts';

/** @throws ProblemError deadline-passed when the caller no longer wants an answer */
export function startReading(request: HttpRequest, edge: Edge): Attempt {
  const attempt = startAttempt(request, edge);
  if (attempt.callerLeftMs() > 0) return attempt;
  throw new ProblemError('deadline-passed');
}

/** @throws ProblemError store-unavailable, or `absent` where there is nothing */
export function foundOr<T>(read: ReadResult<T>, absent: ProblemCode): T {
  if (read.kind === 'found') return read.value;
  throw new ProblemError(read.kind === 'none' ? absent : 'store-unavailable');
}

/** The job of the caller that the path names. @throws ProblemError */
export function jobNamed(request: HttpRequest): JobName {
  return { owner: ownerOf(principalOf(request)), jobId: jobIdInPath(request) };
}

/** A path segment that cannot be a job ID names no job. @throws ProblemError job-not-found */
function jobIdInPath(request: HttpRequest): string {
  const parsed = jobIdSchema.safeParse(request.pathParameters.get('jobId')?.toLowerCase());
  if (!parsed.success) throw new ProblemError('job-not-found');
  return parsed.data;
}
