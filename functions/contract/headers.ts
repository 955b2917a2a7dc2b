// The header names of the contract. Lower case: API Gateway lower-cases what it hands on,
// and HTTP compares names without case.

export const HEADERS = {
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  idempotencyExpires: 'idempotency-expires',
  requestId: 'x-request-id',
  requestAttempt: 'x-request-attempt',
  requestTimeoutMs: 'x-request-timeout-ms',
  requestDeadline: 'x-request-deadline',
  prefer: 'prefer',
  preferenceApplied: 'preference-applied',
  retryAfter: 'retry-after',
  etag: 'etag',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  location: 'location',
  contentType: 'content-type',
} as const;

/** Request headers a browser may send: named in the answer to a preflight. */
export const HEADERS_ALLOWED = [
  'authorization',
  'accept',
  HEADERS.contentType,
  HEADERS.idempotencyKey,
  HEADERS.requestId,
  HEADERS.requestAttempt,
  HEADERS.requestTimeoutMs,
  HEADERS.requestDeadline,
  HEADERS.prefer,
  HEADERS.ifMatch,
  HEADERS.ifNoneMatch,
] as const;

/** Response headers a browser script may read. */
export const HEADERS_EXPOSED = [
  HEADERS.idempotentReplayed,
  HEADERS.idempotencyExpires,
  HEADERS.requestId,
  HEADERS.retryAfter,
  HEADERS.etag,
  HEADERS.location,
  HEADERS.preferenceApplied,
  // A client in a browser measures its clock by it.
  'date',
] as const;
