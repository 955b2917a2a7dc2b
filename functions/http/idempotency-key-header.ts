// The idempotency key of a request, from its header or its path.

import { HEADERS } from '#contract/headers.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';
import {
  type IdempotencyKey,
  parseIdempotencyKey,
  parseIdempotencyKeyHeader,
} from '#idempotency/idempotency-key.ts';

const GRAMMAR =
  'A key is 1 to 255 characters of A-Z a-z 0-9 . _ ~ : - and neither "." nor ".."; one header line.';

/** @throws ProblemError idempotency-key-missing or idempotency-key-invalid */
export function readKeyHeader(request: HttpRequest): IdempotencyKey {
  const header = request.header(HEADERS.idempotencyKey);
  if (header === undefined) {
    throw new ProblemError('idempotency-key-missing', {
      detail: 'Send an Idempotency-Key header: one key an intent, the same on every retry.',
    });
  }
  return keyOrProblem(parseIdempotencyKeyHeader(header));
}

/** @throws ProblemError idempotency-key-invalid */
export function readKeyInPath(request: HttpRequest): IdempotencyKey {
  return keyOrProblem(parseIdempotencyKey(request.pathParameters.get('key') ?? ''));
}

function keyOrProblem(key: IdempotencyKey | undefined): IdempotencyKey {
  if (!key) throw new ProblemError('idempotency-key-invalid', { detail: GRAMMAR });
  return key;
}
