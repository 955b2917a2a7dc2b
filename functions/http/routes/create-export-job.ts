// POST /v1/export-jobs: one job for one intent.

import { createExportJobSchema, exportJobReceiptSchema } from '#contract/export-job.ts';
import { HEADERS } from '#contract/headers.ts';
import { CREATE_BODY_BYTES_MAX } from '#contract/limits.ts';
import { plainWords } from '#contract/plain-words.ts';
import {
  type CreateOutcome,
  createExportJob,
  createRecordKey,
  jobPath,
} from '#export-jobs/create-export-job.ts';
import type { ExportJobCommitPort } from '#export-jobs/create-port.ts';
import { type HttpAnswer, imfFixdate, retryAfterSeconds } from '#http/answer.ts';
import { startAttempt } from '#http/attempt.ts';
import { signalCreate } from '#http/create-signals.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { readKeyHeader } from '#http/idempotency-key-header.ts';
import { readJsonBody } from '#http/json-body.ts';
import { asProblem, ProblemError } from '#http/problem.ts';
import { principalOf } from '#http/request.ts';
import { readTimeHeaders } from '#http/time-headers.ts';
import { type FieldError, fieldErrors } from '#http/validate.ts';
import { type EpochMs, rfc3339 } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { keyHashForLogs } from '#idempotency/scope.ts';

export function createExportJobRoute(commits: ExportJobCommitPort, edge: Edge): Route {
  const { config, world, signals } = edge;
  return {
    keyed: true,
    async answer(request) {
      const principal = principalOf(request);
      const key = readKeyHeader(request);
      const recordKey = createRecordKey(principal, key);
      request.notes.keyHash = keyHashForLogs(recordKey);
      const named = withKey(key.value);
      return named(async () => {
        const attempt = startAttempt(request, readTimeHeaders(request), edge);
        const body = readJsonBody(request, CREATE_BODY_BYTES_MAX);
        const fingerprint = fingerprintOf(body, recordKey);
        if (!fingerprint) throw invalid([{ pointer: '', detail: 'has no canonical form' }]);
        const parsed = createExportJobSchema.safeParse(body, { error: plainWords });
        const params = parsed.success ? parsed.data : undefined;
        const outcome = await createExportJob(
          { principal, key, recordKey, fingerprint, params },
          commits,
          attempt,
        );
        const nowMs = attempt.tries.clock.nowMs();
        signalCreate(
          { key, outcome, nowMs, writes: attempt.tries.sent(), retention: config.retention },
          signals.measure,
          request.notes,
        );
        if (outcome.kind === 'invalid')
          throw invalid(parsed.error ? fieldErrors(parsed.error) : []);
        return answerOf(outcome, nowMs, world.random);
      });
    },
  };
}

/** Adds the key to every problem that comes out, so that a caller need not remember which it sent. */
export function withKey(idempotencyKey: string) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const { code, extras, cause } = asProblem(error);
      throw new ProblemError(code, { idempotencyKey, ...extras }, cause);
    }
  };
}

function answerOf(
  outcome: Exclude<CreateOutcome, { kind: 'invalid' }>,
  nowMs: EpochMs,
  random: () => number,
): HttpAnswer {
  switch (outcome.kind) {
    case 'created':
      return receiptAnswer(outcome.record, false);
    case 'replayed':
      return receiptAnswer(outcome.record, true);
    case 'reused':
      throw new ProblemError('idempotency-key-reused', {
        detail: 'This key was used with other parameters. A new intent needs a new key.',
        members: [...outcome.members],
        job: jobReference(outcome.record.resourceId),
      });
    case 'expired':
      throw new ProblemError('idempotency-key-expired', {
        detail: outcome.resourceId
          ? 'This key made the job named here and is past its retention window.'
          : 'This key is past its retention window. Look for its job before you make a new one.',
        ...(outcome.resourceId && {
          intent: 'committed',
          job: jobReference(outcome.resourceId),
        }),
      });
    case 'abandoned':
      throw new ProblemError('operation-abandoned', {
        detail: 'This intent was abandoned and will not be executed. A new intent needs a new key.',
      });
    case 'claim-taken':
      throw new ProblemError('source-batch-taken', {
        detail: 'The source batch has its job already, for ever; it is named here.',
        job: jobReference(outcome.resourceId),
      });
    case 'in-future':
      throw new ProblemError('idempotency-key-in-future', {
        detail: 'The time in this key is more than five minutes ahead. Check your clock.',
        serverTime: rfc3339(nowMs),
        retryAfterSeconds: retryAfterSeconds(outcome.retryAfterMs, random),
      });
    case 'outcome-unknown':
      throw new ProblemError('outcome-unknown', {
        detail: 'The job may or may not exist. Send the same request with the same key again.',
        retryAfterSeconds: retryAfterSeconds(2_000, random),
      });
    case 'store-unavailable':
      throw new ProblemError('store-unavailable', {
        detail: 'This attempt wrote nothing. Send the same request with the same key again.',
        retryAfterSeconds: retryAfterSeconds(1_000, random),
      });
    case 'deadline-passed':
      throw new ProblemError('deadline-passed', {
        detail: 'Your time for this attempt was used up before anything was written.',
      });
  }
}

export function jobReference(id: string): { id: string; href: string } {
  return { id, href: jobPath(id) };
}

/** 202: the job exists, its file does not yet. The bytes are those that were stored. */
function receiptAnswer(record: CommittedRecord, replayed: boolean): HttpAnswer {
  const receipt = exportJobReceiptSchema.parse(
    JSON.parse(Buffer.from(record.receipt).toString('utf8')),
  );
  return {
    status: 202,
    headers: {
      'content-type': 'application/json',
      [HEADERS.location]: receipt.links.self,
      [HEADERS.idempotentReplayed]: `${replayed}`,
      [HEADERS.idempotencyExpires]: imfFixdate(record.expiresAtMs),
    },
    body: record.receipt,
  };
}

function invalid(errors: FieldError[]): ProblemError {
  return new ProblemError('validation-failed', {
    detail: 'Nothing was executed. Correct what errors names and send it under the same key.',
    errors,
  });
}
