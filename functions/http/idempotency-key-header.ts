// The idempotency key of a request, from its header or its path. A request whose key was read is named by
// it: problems that follow say which key they are about.

import { HEADERS } from '#contract/headers.ts';
import { operationQuerySchema } from '#contract/operation.ts';
import { ProblemError } from '#http/problem.ts';
import { type HttpRequest, principalOf } from '#http/request.ts';
import { parseOrProblem } from '#http/validate.ts';
import {
  type IdempotencyKey,
  parseIdempotencyKey,
  parseIdempotencyKeyHeader,
} from '#idempotency/idempotency-key.ts';
import { operationName, recordKeyOf } from '#idempotency/scope.ts';

/** @throws ProblemError idempotency-key-missing or idempotency-key-invalid */
export function readKeyHeader(request: HttpRequest): IdempotencyKey {
  const header = request.header(HEADERS.idempotencyKey);
  if (header === undefined) throw new ProblemError('idempotency-key-missing');
  return named(request, parseIdempotencyKeyHeader(header));
}

export type NamedOperation = { readonly key: IdempotencyKey; readonly recordKey: string };

/**
 * The intent that a look-up or an abandonment names: the caller's, by its key in the path and its operation.
 * @throws ProblemError idempotency-key-invalid, or validation-failed for an operation that is not known
 */
export function readOperation(request: HttpRequest): NamedOperation {
  const principal = principalOf(request);
  const key = named(request, parseIdempotencyKey(request.pathParameters.get('key') ?? ''));
  const query = Object.fromEntries(request.query);
  const { operation } = parseOrProblem(operationQuerySchema, query);
  return { key, recordKey: recordKeyOf(principal, operationName(operation), key.value) };
}

function named(request: HttpRequest, key: IdempotencyKey | undefined): IdempotencyKey {
  if (!key) throw new ProblemError('idempotency-key-invalid');
  request.named.idempotencyKey = key.value;
  return key;
}
