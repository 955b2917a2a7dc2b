// POST /v1/operations/{key}/abandon: makes sure that an intent will not be executed. A body is not read.

import type { Abandonment } from '#contract/operation.ts';
import { ROUTES } from '#contract/routes.ts';
import { type HttpAnswer, json } from '#http/answer.ts';
import { startAttempt } from '#http/attempt.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { readOperation } from '#http/idempotency-key-header.ts';
import { jobReference } from '#http/paths.ts';
import { ProblemError } from '#http/problem.ts';
import { type AbandonOutcome, abandonOnce } from '#idempotency/abandon.ts';
import type { AbandonPort } from '#idempotency/commit-port.ts';
import { type EpochMs, rfc3339 } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { isExpired } from '#idempotency/retention.ts';
import { keyHashForLogs } from '#idempotency/scope.ts';

export function abandonOperationRoute(port: AbandonPort, edge: Edge): Route {
  return {
    ...ROUTES.abandonOperation,
    async answer(request) {
      const { key, recordKey } = readOperation(request);
      const attempt = startAttempt(request, edge);
      request.notes.keyHash = keyHashForLogs(recordKey);
      const outcome = await abandonOnce(
        { key, recordKey, attemptId: attempt.newAttemptId() },
        port,
        attempt,
      );
      request.notes.outcome = outcome.kind;
      if (outcome.kind === 'committed') {
        const job = jobReference(outcome.record.resourceId, edge.paths);
        throw new ProblemError('operation-committed', { job });
      }
      return answerOf(outcome, key, attempt.tries.clock.nowMs());
    },
  };
}

function answerOf(
  outcome: Exclude<AbandonOutcome, { kind: 'committed' }>,
  key: IdempotencyKey,
  nowMs: EpochMs,
): HttpAnswer {
  switch (outcome.kind) {
    case 'abandoned': {
      const { record, mayHaveBeenExecuted } = outcome;
      const body: Abandonment = {
        key: key.value,
        state: 'abandoned',
        expired: isExpired(record, nowMs),
        committedAt: rfc3339(record.committedAtMs),
        expiresAt: rfc3339(record.expiresAtMs),
        executed: mayHaveBeenExecuted ? 'unknown' : 'no',
      };
      return json(200, body);
    }
    case 'outcome-unknown':
    case 'store-unavailable':
    case 'deadline-passed':
      throw new ProblemError(outcome.kind);
  }
}
