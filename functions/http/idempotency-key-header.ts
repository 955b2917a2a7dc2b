// The idempotency key of a request, from its header or its path. A request whose key was read is named by
// it: problems that follow say which key they are about.

import { HEADERS } from '#contract/headers.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';
import {
  type IdempotencyKey,
  parseIdempotencyKey,
  parseIdempotencyKeyHeader,
} from '#idempotency/idempotency-key.ts';

/** @throws ProblemError idempotency-key-missing or idempotency-key-invalid */
export function readKeyHeader(request: HttpRequest): IdempotencyKey {
  const header = request.header(HEADERS.idempotencyKey);
  if (header === undefined) throw new ProblemError('idempotency-key-missing');
  return named(request, parseIdempotencyKeyHeader(header));
}

/** @throws ProblemError idempotency-key-invalid */
export function readKeyInPath(request: HttpRequest): IdempotencyKey {
  return named(request, parseIdempotencyKey(request.pathParameters.get('key') ?? ''));
}

function named(request: HttpRequest, key: IdempotencyKey | undefined): IdempotencyKey {
  if (!key) throw new ProblemError('idempotency-key-invalid');
  request.named.idempotencyKey = key.value;
  return key;
}
