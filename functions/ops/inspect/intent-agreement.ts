// Do the record, the job, the claim and the notification of one intent agree? Pure.
// Each sentence is one disagreement that no fault and no lapse of time explains.

import { exportJobReceiptSchema } from '#contract/export-job.ts';
import { isFinished } from '#export-jobs/job.ts';
import { type EpochMs, rfc3339 } from '#idempotency/epoch.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import type { Intent } from '#ops/inspect/intent.ts';

/** @param jobRetentionMs how long a job is kept after its end: an older one may be gone */
export function disagreements(intent: Intent, nowMs: EpochMs, jobRetentionMs: number): string[] {
  return [
    ...ofRecord(intent, nowMs),
    ...ofJob(intent, nowMs),
    ...ofClaim(intent, nowMs, jobRetentionMs),
    ...ofRows(intent),
  ];
}

function ofRecord({ record, key, job }: Intent, nowMs: EpochMs): string[] {
  if (record?.state !== 'committed') {
    const newer = record && job && job.createdAtMs >= record.committedAtMs;
    return newer ? [`the key was abandoned before job ${job.jobId} was made under it`] : [];
  }
  const found = answerFaults(record);
  const purgedMs = record.purgeAtSeconds * 1000;
  if (!job && nowMs < purgedMs) {
    found.push(`the key record names job ${record.resourceId}, which is not stored`);
  }
  if (job && job.jobId !== record.resourceId) {
    found.push(`the key record names job ${record.resourceId}, not ${job.jobId}`);
  }
  if (job && key && job.idempotencyKey !== key.value) {
    found.push(`job ${job.jobId} was made under another key: ${job.idempotencyKey}`);
  }
  return found;
}

/** What the stored answer of a key says wrongly. */
export function answerFaults({ receipt, resourceId, expiresAtMs }: CommittedRecord): string[] {
  const parsed = exportJobReceiptSchema.safeParse(jsonOrUndefined(receipt));
  if (!parsed.success) return ['the stored answer is no receipt'];
  const { id, keyExpiresAt } = parsed.data;
  const found: string[] = [];
  if (id !== resourceId) found.push(`the stored answer names job ${id}, the record ${resourceId}`);
  if (keyExpiresAt !== rfc3339(expiresAtMs)) {
    found.push(`the stored answer says that the key expires at ${keyExpiresAt}`);
  }
  return found;
}

function ofJob({ job, record, claim }: Intent, nowMs: EpochMs): string[] {
  if (!job) return [];
  const found: string[] = [];
  const purgedMs = job.keyPurgeAtSeconds * 1000;
  if (!record && nowMs < purgedMs) {
    found.push(`job ${job.jobId} has no key record, which is to be kept until ${iso(purgedMs)}`);
  }
  if (record && nowMs < purgedMs && record.purgeAtSeconds < job.keyPurgeAtSeconds) {
    found.push(
      `the key record is purged at ${iso(record.purgeAtSeconds * 1000)}, before its job says`,
    );
  }
  if (job.sourceBatchId !== undefined && !claim) {
    found.push(`job ${job.jobId} has source batch ${job.sourceBatchId}, which nobody claimed`);
  }
  return found;
}

function ofClaim(intent: Intent, nowMs: EpochMs, jobRetentionMs: number): string[] {
  const { claim, job, recordKey, sourceBatchId } = intent;
  if (!claim) return [];
  if (!job) {
    return nowMs < claim.createdAtMs + jobRetentionMs
      ? [`the claim names job ${claim.resourceId}, which is not stored`]
      : [];
  }
  const found: string[] = [];
  if (claim.resourceId !== job.jobId) {
    found.push(`the batch is claimed for job ${claim.resourceId}, not ${job.jobId}`);
  } else if (recordKey !== undefined && claim.recordKey !== recordKey) {
    found.push('the claim names another key record than that of the key');
  }
  if (job.sourceBatchId !== sourceBatchId) {
    found.push(`the claim names job ${job.jobId}, which has no such batch`);
  }
  return found;
}

function ofRows({ job, rows }: Intent): string[] {
  if (!job) return [];
  if (!isFinished(job.status)) {
    return rows.length > 0 ? ['a notification is owed for a job that has not finished'] : [];
  }
  if (rows.length === 0) return [`job ${job.jobId} is ${job.status} and owes no notification`];
  return rows.flatMap(({ event }) =>
    event === `export-job.${job.status}`
      ? []
      : [`the notification says ${event}, the job is ${job.status}`],
  );
}

function jsonOrUndefined(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
