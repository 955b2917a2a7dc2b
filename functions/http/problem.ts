// One table from code to status, and the one place that makes problem+json.
// Must never: show a stack, an SDK's words, or a stored value of anyone else.

import type { Problem } from '#contract/problem.ts';
import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';

export const PROBLEM_STATUS = {
  'idempotency-key-missing': 400,
  'idempotency-key-invalid': 400,
  'idempotency-key-in-future': 400,
  'deadline-invalid': 400,
  'invalid-json': 400,
  'validation-failed': 400,
  unauthenticated: 401,
  'job-not-found': 404,
  'article-not-found': 404,
  'operation-not-found': 404,
  'route-not-found': 404,
  'source-batch-taken': 409,
  'operation-abandoned': 409,
  'operation-committed': 409,
  'job-already-finished': 409,
  'job-not-finished': 409,
  'job-has-no-file': 409,
  'file-gone': 410,
  'idempotency-key-expired': 412,
  'precondition-failed': 412,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'idempotency-key-reused': 422,
  'internal-error': 500,
  'store-unavailable': 503,
  'clock-untrusted': 503,
  'outcome-unknown': 503,
  'deadline-passed': 504,
} as const satisfies Record<ProblemCode, number>;

/** What a problem may add to its catalogue entry. */
export type ProblemExtras = Partial<
  Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'requestId'>
> & {
  /** Seconds, whole. */
  readonly retryAfterSeconds?: number;
  /** Further response headers, such as the current ETag. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Thrown in front of a use case; outcomes of use cases become problems by value. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  /** @param cause what is not expected, for the log alone */
  constructor(code: ProblemCode, extras: ProblemExtras = {}, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.extras = extras;
  }
}

/** What is thrown, as a problem: what is none is a fault of ours, told in the catalogue's words. */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const detail = `${PROBLEMS['internal-error'].title}. Send the same request again.`;
  return new ProblemError('internal-error', { detail }, error);
}

/** @param keyed does this operation take a key: only then do `executed`, `intent` and `retry` stand */
export function problemBody(
  code: ProblemCode,
  { retryAfterSeconds: _, headers: __, ...members }: ProblemExtras,
  request: { readonly requestId: string; readonly keyed: boolean },
): Problem {
  const { title, ...advice } = PROBLEMS[code];
  return {
    type: `/problems/${code}`,
    title,
    status: PROBLEM_STATUS[code],
    detail: members.detail ?? title,
    code,
    requestId: request.requestId,
    ...(request.keyed && advice),
    ...members,
  };
}
