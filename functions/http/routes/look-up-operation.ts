// GET /v1/operations/{key}: what became of an intent, and how sure a 404 is.

import type { Operation } from '#contract/operation.ts';
import { ROUTES } from '#contract/routes.ts';
import { json } from '#http/answer.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { readOperation } from '#http/idempotency-key-header.ts';
import { jobReference, type Paths } from '#http/paths.ts';
import { ProblemError } from '#http/problem.ts';
import { startReading } from '#http/reading.ts';
import type { RecordReader } from '#idempotency/commit-port.ts';
import { rfc3339 } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { type LookUpOutcome, lookUp } from '#idempotency/look-up.ts';
import { keyHashForLogs } from '#idempotency/scope.ts';

export function lookUpOperationRoute(records: RecordReader, edge: Edge): Route {
  return {
    ...ROUTES.lookUpOperation,
    async answer(request) {
      const { key, recordKey } = readOperation(request);
      request.notes.keyHash = keyHashForLogs(recordKey);
      const outcome = await lookUp({ key, recordKey }, records, startReading(request, edge));
      request.notes.outcome = outcome.kind;
      switch (outcome.kind) {
        case 'found':
          return json(200, operationView(key, outcome, edge.paths));
        case 'none':
          throw nothingRecorded(key, outcome);
        case 'store-unavailable':
          throw new ProblemError('store-unavailable');
      }
    },
  };
}

function operationView(
  key: IdempotencyKey,
  { record, expired }: Extract<LookUpOutcome, { kind: 'found' }>,
  paths: Paths,
): Operation {
  return {
    key: key.value,
    state: record.state,
    expired,
    ...(record.state === 'committed' && { job: jobReference(record.resourceId, paths) }),
    committedAt: rfc3339(record.committedAtMs),
    expiresAt: rfc3339(record.expiresAtMs),
  };
}

function nothingRecorded(
  key: IdempotencyKey,
  { definitive, horizon }: Extract<LookUpOutcome, { kind: 'none' }>,
): ProblemError {
  return new ProblemError('operation-not-found', {
    ...(definitive && { detail: 'Nothing was executed under this key, and nothing will be.' }),
    idempotencyKey: key.value,
    definitive,
    ...(horizon && {
      admissibleUntil: rfc3339(horizon.admissibleUntilMs),
      definitiveFrom: rfc3339(horizon.definitiveFromMs),
      definitiveUntil: rfc3339(horizon.definitiveUntilMs),
    }),
  });
}
