// Every problem the service can answer with, in one place: its status, its words, what a caller may conclude
// from it, and how long to wait where waiting helps. Nobody else repeats any of it.
// `executed`, `intent` and `retry` are shown only by operations with a key.

export type Executed = 'yes' | 'no' | 'unknown';
export type IntentState = 'committed' | 'abandoned' | 'unknown';
export type RetryAdvice = 'same-key' | 'new-key' | 'no';

export type ProblemEntry = {
  readonly status: number;
  readonly title: string;
  /** What is said where the answer has nothing more exact to say. */
  readonly detail: string;
  readonly executed?: Executed;
  readonly intent?: IntentState;
  readonly retry?: RetryAdvice;
  /** Base of `Retry-After`, milliseconds: with it every answer of this code has the header. */
  readonly retryAfterMs?: number;
  /** The longer base while an instance has no retries left: the store has refused for a while. */
  readonly retryAfterSpentMs?: number;
};

/** This attempt certainly did nothing. */
const NOT_EXECUTED = { executed: 'no', intent: 'unknown' } as const;
/** Nothing was done; corrected, the request may be sent under the same key. */
const TO_CORRECT = { ...NOT_EXECUTED, retry: 'same-key' } as const;

const ENTRIES = {
  'idempotency-key-missing': {
    status: 400,
    title: 'Idempotency-Key is missing',
    detail: 'Send an Idempotency-Key header: one key an intent, the same on every retry.',
    ...NOT_EXECUTED,
    retry: 'new-key',
  },
  'idempotency-key-invalid': {
    status: 400,
    title: 'Idempotency-Key is malformed',
    detail:
      'A key is 1 to 255 characters of A-Z a-z 0-9 . _ ~ : - and neither "." nor ".."; one header line.',
    ...NOT_EXECUTED,
    retry: 'new-key',
  },
  'idempotency-key-in-future': {
    status: 400,
    title: 'The key was minted in the future',
    detail: 'The time in this key is more than five minutes ahead. Check your clock.',
    ...NOT_EXECUTED,
    retry: 'same-key',
    // The answer itself knows how far ahead the key is; this stands in where it does not.
    retryAfterMs: 1_000,
  },
  'deadline-invalid': {
    status: 400,
    title: 'A time header is malformed',
    detail: 'X-Request-Timeout-Ms or X-Request-Deadline is malformed.',
    ...TO_CORRECT,
  },
  'invalid-json': {
    status: 400,
    title: 'The body is not JSON',
    detail: 'The body does not parse as JSON (RFC 8259).',
    ...TO_CORRECT,
  },
  'validation-failed': {
    status: 400,
    title: 'The request is not valid',
    detail: 'Nothing was executed. Correct what errors names and send it again.',
    ...TO_CORRECT,
  },
  unauthenticated: {
    status: 401,
    title: 'The caller is not known',
    detail: 'Send a bearer token that names an issuer and a subject.',
    ...TO_CORRECT,
  },
  'job-not-found': {
    status: 404,
    title: 'There is no such job',
    detail: 'There is no job of this ID among yours.',
  },
  'article-not-found': {
    status: 404,
    title: 'There is no such article',
    detail: 'There is no article of this ID among yours.',
  },
  'operation-not-found': {
    status: 404,
    title: 'Nothing is recorded for this key so far',
    detail:
      'Nothing is recorded so far. That does not prove that nothing will be; abandon makes sure.',
  },
  'route-not-found': {
    status: 404,
    title: 'There is no such route',
    detail: 'Nothing is served under this path. GET /docs lists what is.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The path is served under other methods',
    detail: 'This path does not take this method; Allow names those that it takes.',
  },
  'source-batch-taken': {
    status: 409,
    title: 'The source batch has its job already',
    detail: 'The source batch has its job already, for ever; it is named here.',
    ...NOT_EXECUTED,
    retry: 'no',
  },
  'operation-abandoned': {
    status: 409,
    title: 'The intent was abandoned',
    detail: 'This intent was abandoned and will not be executed. A new intent needs a new key.',
    executed: 'no',
    intent: 'abandoned',
    retry: 'new-key',
  },
  'operation-committed': {
    status: 409,
    title: 'The intent was executed already',
    detail: 'The intent was executed before it could be abandoned; its job is named here.',
    executed: 'no',
    intent: 'committed',
    retry: 'no',
  },
  'job-already-finished': {
    status: 409,
    title: 'The job has finished already',
    detail: 'The job has ended; that does not change any more.',
  },
  'job-not-finished': {
    status: 409,
    title: 'The job has not finished yet',
    detail: 'The file is not there yet. Ask for the job with Prefer: wait=20.',
    retryAfterMs: 1_000,
  },
  'job-has-no-file': {
    status: 409,
    title: 'The job ended without a file',
    detail: 'The job failed or was cancelled; there is no file.',
  },
  'file-gone': {
    status: 410,
    title: 'The file is no longer kept',
    detail: 'The job succeeded; its file is past the time for which files are kept.',
  },
  'idempotency-key-expired': {
    status: 412,
    title: 'The key is past its retention window',
    detail: 'This key is past its retention window. Look for its job before you make a new one.',
    ...NOT_EXECUTED,
    retry: 'no',
  },
  'precondition-failed': {
    status: 412,
    title: 'The article is not the one you named',
    detail: 'The article has changed, or was there already; its current ETag is in this answer.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    detail: 'The body is over the limit of this operation.',
    ...TO_CORRECT,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be plain JSON',
    detail: 'Send one Content-Type: application/json, and the body as it is.',
    ...TO_CORRECT,
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The key belongs to other parameters',
    detail: 'This key was used with other parameters. A new intent needs a new key.',
    executed: 'no',
    intent: 'committed',
    retry: 'new-key',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    detail: 'Something went wrong on our side. Send the same request again.',
    executed: 'unknown',
    intent: 'unknown',
    retry: 'same-key',
    retryAfterMs: 1_000,
  },
  'store-unavailable': {
    status: 503,
    title: 'The store did not take the write',
    detail: 'The store did not answer in time; this attempt changed nothing. Send it again.',
    ...NOT_EXECUTED,
    retry: 'same-key',
    retryAfterMs: 1_000,
    retryAfterSpentMs: 5_000,
  },
  'clock-untrusted': {
    status: 503,
    title: 'Our clock cannot be trusted right now',
    detail: 'Our clock and the gateway disagree. Nothing was executed; send the same again.',
    ...NOT_EXECUTED,
    retry: 'same-key',
    // A clock is stepped by people or by a daemon: sooner is no use.
    retryAfterMs: 5_000,
  },
  'outcome-unknown': {
    status: 503,
    title: 'The outcome is not known yet',
    detail:
      'This may or may not have been executed. Send the same request again, under the same key where it has one.',
    executed: 'unknown',
    intent: 'unknown',
    retry: 'same-key',
    // A write that was sent is settled within a try; then a look finds it.
    retryAfterMs: 2_000,
    retryAfterSpentMs: 10_000,
  },
  'deadline-passed': {
    status: 504,
    title: 'The time for this attempt is used up',
    detail: 'Your time for this attempt was used up before anything was written.',
    ...NOT_EXECUTED,
    retry: 'same-key',
  },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof ENTRIES;
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemEntry>> = ENTRIES;
export const PROBLEM_CODES = Object.keys(ENTRIES) as ProblemCode[];
