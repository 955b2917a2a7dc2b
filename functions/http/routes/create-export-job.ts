// POST /v1/export-jobs: one job for one intent.

import { createExportJobSchema } from '#contract/export-job.ts';
import { operationQuerySchema } from '#contract/operation.ts';
import { plainWords } from '#contract/plain-words.ts';
import { ROUTES } from '#contract/routes.ts';
import {
  type CreateOutcome,
  createExportJob,
  createRecordKey,
} from '#export-jobs/create-export-job.ts';
import type { ExportJobCommitPort } from '#export-jobs/create-port.ts';
import type { HttpAnswer } from '#http/answer.ts';
import { startAttempt } from '#http/attempt.ts';
import { signalCreate } from '#http/create-signals.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { readKeyHeader } from '#http/idempotency-key-header.ts';
import { readJsonBody } from '#http/json-body.ts';
import { jobReference, type Paths } from '#http/paths.ts';
import { ProblemError, type ProblemExtras } from '#http/problem.ts';
import { receiptAnswer, receiptMaker } from '#http/receipt.ts';
import { principalOf } from '#http/request.ts';
import { type FieldError, fieldErrors, parseOrProblem } from '#http/validate.ts';
import { type EpochMs, rfc3339 } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import { keyHashForLogs } from '#idempotency/scope.ts';

export function createExportJobRoute(commits: ExportJobCommitPort, edge: Edge): Route {
  const { config, paths } = edge;
  const { measure } = edge.signals;
  return {
    ...ROUTES.createExportJob,
    async answer(request) {
      const principal = principalOf(request);
      const key = readKeyHeader(request);
      const recordKey = createRecordKey(principal, key);
      request.notes.keyHash = keyHashForLogs(recordKey);
      // Honoured or refused: a create is no other operation.
      const operation = request.query.get('operation');
      if (operation !== undefined) parseOrProblem(operationQuerySchema, { operation });
      const attempt = startAttempt(request, edge);
      const body = readJsonBody(request, ROUTES.createExportJob);
      const fingerprint = fingerprintOf(body, recordKey);
      if (!fingerprint) throw invalid([{ pointer: '', detail: 'has no canonical form' }]);
      const parsed = createExportJobSchema.safeParse(body, { error: plainWords });
      const params = parsed.success ? parsed.data : undefined;
      const outcome = await createExportJob(
        { principal, key, recordKey, fingerprint, params, receiptOf: receiptMaker(paths) },
        commits,
        attempt,
      );
      const nowMs = attempt.tries.clock.nowMs();
      signalCreate(
        { key, outcome, nowMs, writes: attempt.tries.sent(), retention: config.retention },
        measure,
        request.notes,
      );
      if (outcome.kind === 'invalid') {
        const errors = parsed.error ? fieldErrors(parsed.error) : [];
        throw invalid(errors, { ...(outcome.record && known(outcome.record, paths)) });
      }
      return answerOf(outcome, nowMs, paths);
    },
  };
}

function answerOf(
  outcome: Exclude<CreateOutcome, { kind: 'invalid' }>,
  nowMs: EpochMs,
  paths: Paths,
): HttpAnswer {
  switch (outcome.kind) {
    case 'created':
      return receiptAnswer(outcome.record, false);
    case 'replayed':
      return receiptAnswer(outcome.record, true);
    case 'reused':
      throw new ProblemError('idempotency-key-reused', {
        members: [...outcome.members],
        job: jobReference(outcome.record.resourceId, paths),
      });
    case 'expired':
      throw new ProblemError(
        'idempotency-key-expired',
        outcome.resourceId
          ? {
              detail: 'This key made the job named here and is past its retention window.',
              intent: 'committed',
              job: jobReference(outcome.resourceId, paths),
            }
          : {},
      );
    case 'abandoned':
      throw new ProblemError('operation-abandoned');
    case 'claim-taken':
      throw new ProblemError('source-batch-taken', {
        job: jobReference(outcome.resourceId, paths),
      });
    case 'in-future':
      throw new ProblemError('idempotency-key-in-future', {
        serverTime: rfc3339(nowMs),
        retryAfterMs: outcome.retryAfterMs,
      });
    case 'outcome-unknown':
    case 'store-unavailable':
    case 'deadline-passed':
      throw new ProblemError(outcome.kind);
  }
}

function invalid(errors: FieldError[], extras: ProblemExtras = {}): ProblemError {
  return new ProblemError('validation-failed', { errors, ...extras });
}

/** What a record that was read on the way tells of the intent, whatever this body is. */
function known(record: IdempotencyRecord, paths: Paths): ProblemExtras {
  return record.state === 'committed'
    ? { intent: 'committed', job: jobReference(record.resourceId, paths) }
    : { intent: 'abandoned', retry: 'new-key' };
}
