// Every problem the service can answer with: its title, and what a caller may conclude from it.
// `executed`, `intent` and `retry` stand only on codes of operations with a key.
// Statuses are HTTP's business and stand in http/problem.ts alone.

export type Executed = 'yes' | 'no' | 'unknown';
export type IntentState = 'committed' | 'abandoned' | 'unknown';
export type RetryAdvice = 'same-key' | 'new-key' | 'no';

type KeyedProblem = {
  readonly title: string;
  readonly executed: Executed;
  readonly intent: IntentState;
  readonly retry: RetryAdvice;
};
type PlainProblem = { readonly title: string };

const keyed = (
  title: string,
  executed: Executed,
  intent: IntentState,
  retry: RetryAdvice,
): KeyedProblem => ({ title, executed, intent, retry });

export const PROBLEMS = {
  'idempotency-key-missing': keyed('Idempotency-Key is missing', 'no', 'unknown', 'new-key'),
  'idempotency-key-invalid': keyed('Idempotency-Key is malformed', 'no', 'unknown', 'new-key'),
  'idempotency-key-in-future': keyed(
    'The key was minted in the future',
    'no',
    'unknown',
    'same-key',
  ),
  'deadline-invalid': keyed('A time header is malformed', 'no', 'unknown', 'same-key'),
  'invalid-json': keyed('The body is not JSON', 'no', 'unknown', 'same-key'),
  'validation-failed': keyed('The request is not valid', 'no', 'unknown', 'same-key'),
  unauthenticated: keyed('The caller is not known', 'no', 'unknown', 'same-key'),
  'job-not-found': { title: 'There is no such job' },
  'article-not-found': { title: 'There is no such article' },
  'operation-not-found': { title: 'Nothing is recorded for this key so far' },
  'route-not-found': { title: 'There is no such route' },
  'source-batch-taken': keyed('The source batch has its job already', 'no', 'unknown', 'no'),
  'operation-abandoned': keyed('The intent was abandoned', 'no', 'abandoned', 'new-key'),
  'operation-committed': keyed('The intent was executed already', 'no', 'committed', 'no'),
  'job-already-finished': { title: 'The job has finished already' },
  'job-not-finished': { title: 'The job has not finished yet' },
  'job-has-no-file': { title: 'The job ended without a file' },
  'file-gone': { title: 'The file is no longer kept' },
  'idempotency-key-expired': keyed('The key is past its retention window', 'no', 'unknown', 'no'),
  'precondition-failed': { title: 'The article is not the one you named' },
  'body-too-large': keyed('The body is too large', 'no', 'unknown', 'no'),
  'unsupported-media-type': keyed('The body must be plain JSON', 'no', 'unknown', 'no'),
  'idempotency-key-reused': keyed(
    'The key belongs to other parameters',
    'no',
    'committed',
    'new-key',
  ),
  'internal-error': keyed('Something went wrong on our side', 'unknown', 'unknown', 'same-key'),
  'store-unavailable': keyed('The store did not take the write', 'no', 'unknown', 'same-key'),
  'clock-untrusted': keyed('Our clock cannot be trusted right now', 'no', 'unknown', 'same-key'),
  'outcome-unknown': keyed('The outcome is not known yet', 'unknown', 'unknown', 'same-key'),
  'deadline-passed': keyed('The time for this attempt is used up', 'no', 'unknown', 'same-key'),
} as const satisfies Record<string, KeyedProblem | PlainProblem>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];
