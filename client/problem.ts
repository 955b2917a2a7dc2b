// An error of the service: application/problem+json (RFC 9457), as a plain interface.
// Must never lack a code that the service has: a test compares them.

import type { JobReference } from '#client/operation.ts';

/** What the service answers with. A newer one may know more: a switch over it needs a default. */
export type ProblemCode =
  | 'idempotency-key-missing'
  | 'idempotency-key-invalid'
  | 'idempotency-key-in-future'
  | 'idempotency-key-expired'
  | 'idempotency-key-reused'
  | 'deadline-invalid'
  | 'deadline-passed'
  | 'invalid-json'
  | 'validation-failed'
  | 'unauthenticated'
  | 'route-not-found'
  | 'method-not-allowed'
  | 'job-not-found'
  | 'article-not-found'
  | 'operation-not-found'
  | 'source-batch-taken'
  | 'operation-abandoned'
  | 'operation-committed'
  | 'job-already-finished'
  | 'job-not-finished'
  | 'job-has-no-file'
  | 'file-gone'
  | 'precondition-failed'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'internal-error'
  | 'store-unavailable'
  | 'clock-untrusted'
  | 'outcome-unknown';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** `/problems/<code>` of the service explains each. */
  code: ProblemCode;
  requestId: string;
  /** Did this attempt take effect. */
  executed?: 'yes' | 'no' | 'unknown';
  /** What the service knows of the intent as a whole. */
  intent?: 'committed' | 'abandoned' | 'unknown';
  retry?: 'same-key' | 'new-key' | 'no';
  idempotencyKey?: string;
  errors?: { pointer: string; detail: string }[];
  job?: JobReference;
  /** Top-level members of the body that differ from the first request under the key. */
  members?: string[];
  serverTime?: string;
  definitive?: boolean;
  admissibleUntil?: string;
  definitiveFrom?: string;
  definitiveUntil?: string;
}
