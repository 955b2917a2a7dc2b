// Creates one export job for one intent. Create is one write: missing articles are found by the worker.
// The answer is made before the write and stored with the record.

import type { CreateExportJob } from '#contract/export-job.ts';
import { claimKeyOf, type ExportJobCommitPort, ownerOf } from '#export-jobs/create-port.ts';
import type { NewJob } from '#export-jobs/job.ts';
import {
  type CommitOptions,
  type CommitOutcome,
  commitOnce,
  replayOnly,
} from '#idempotency/commit-once.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import type { Fingerprint } from '#idempotency/fingerprint.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { CommittedRecord, IdempotencyRecord } from '#idempotency/record.ts';
import { recordLife } from '#idempotency/retention.ts';
import { operationName, type Principal, recordKeyOf } from '#idempotency/scope.ts';

export const CREATE_EXPORT_JOB = operationName('create-export-job');

export type CreateIntent = {
  readonly principal: Principal;
  readonly key: IdempotencyKey;
  readonly recordKey: string;
  readonly fingerprint: Fingerprint;
  /** undefined when the body failed validation: then only a replay can answer. */
  readonly params: CreateExportJob | undefined;
  /** Makes the answer that is stored with the record and given again byte for byte. */
  readonly receiptOf: (made: MadeJob) => Uint8Array;
};

/** What a receipt tells of a job that is about to be made. */
export type MadeJob = {
  readonly jobId: string;
  readonly createdAtMs: EpochMs;
  readonly keyExpiresAtMs: EpochMs;
};

export type CreateOptions = CommitOptions & {
  /** A UUIDv7 minted at this instant. */
  readonly newJobId: (atMs: EpochMs) => string;
  readonly newAttemptId: () => string;
};

/** `record`: what stands under the key already. */
export type CreateOutcome =
  | CommitOutcome
  | { readonly kind: 'invalid'; readonly record?: IdempotencyRecord };

export function createRecordKey(principal: Principal, key: IdempotencyKey): string {
  return recordKeyOf(principal, CREATE_EXPORT_JOB, key.value);
}

export async function createExportJob(
  intent: CreateIntent,
  port: ExportJobCommitPort,
  options: CreateOptions,
): Promise<CreateOutcome> {
  const { key, params } = intent;
  if (!params) {
    const replay = await replayOnly(intent, port, options);
    return replay.kind === 'no-replay' ? { ...replay, kind: 'invalid' } : replay;
  }
  const nowMs = options.tries.clock.nowMs();
  const jobId = options.newJobId(nowMs);
  const life = recordLife(key, nowMs, options.retention);
  const record: CommittedRecord = {
    state: 'committed',
    recordKey: intent.recordKey,
    attemptId: options.newAttemptId(),
    committedAtMs: nowMs,
    ...life,
    fingerprint: intent.fingerprint,
    receipt: intent.receiptOf({ jobId, createdAtMs: nowMs, keyExpiresAtMs: life.expiresAtMs }),
    resourceId: jobId,
  };
  const { principal } = intent;
  const effect = {
    job: newJob(intent, params, { jobId, nowMs, keyPurgeAtSeconds: life.purgeAtSeconds }),
    ...(params.sourceBatchId !== undefined && {
      claimKey: claimKeyOf(principal, params.sourceBatchId),
    }),
  };
  return commitOnce({ key, record, effect }, port, options);
}

function newJob(
  { principal, key }: CreateIntent,
  params: CreateExportJob,
  made: Pick<NewJob, 'jobId' | 'keyPurgeAtSeconds'> & { readonly nowMs: EpochMs },
): NewJob {
  return {
    owner: ownerOf(principal),
    jobId: made.jobId,
    status: 'queued',
    idempotencyKey: key.value,
    format: params.format,
    language: params.language ?? 'und',
    articleCount: params.articleIds.length,
    ...(params.title !== undefined && { title: params.title }),
    ...(params.sourceBatchId !== undefined && { sourceBatchId: params.sourceBatchId }),
    articleIds: params.articleIds,
    createdAtMs: made.nowMs,
    progressDone: 0,
    run: 0,
    keyPurgeAtSeconds: made.keyPurgeAtSeconds,
  };
}
