// A problem on its way to a caller, and the one place that makes problem+json of the catalogue's entry.
// Must never: show a stack, an SDK's words, or a stored value of anyone else.

import type { Problem } from '#contract/problem.ts';
import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';

/** What a problem may add to its catalogue entry. */
export type ProblemExtras = Partial<
  Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'requestId'>
> & {
  /** Base of Retry-After, milliseconds, where this answer knows better than the catalogue. */
  readonly retryAfterMs?: number;
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
  return error instanceof ProblemError ? error : new ProblemError('internal-error', {}, error);
}

/** What a problem says of the request that met it. */
export type Asked = {
  /** Path of the page that explains the code. */
  readonly type: string;
  readonly requestId: string;
  /**
   * The intent as far as it is named; `false` when the operation takes no key: only with one do
   * `executed`, `intent` and `retry` stand.
   */
  readonly keyed: false | { readonly idempotencyKey?: string };
};

export function problemBody(
  code: ProblemCode,
  { retryAfterMs: _, headers: __, ...members }: ProblemExtras,
  { type, requestId, keyed }: Asked,
): Problem {
  const { title, status, detail, executed, intent, retry } = PROBLEMS[code];
  return {
    type,
    title,
    status,
    detail,
    code,
    requestId,
    ...(keyed && executed && intent && retry && { executed, intent, retry }),
    ...(keyed && keyed),
    ...members,
  };
}
