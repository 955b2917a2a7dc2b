// The export job and its legal moves. The moves are data; stores make their conditions from them.
// A finished status never changes: no move starts there.

import type { ExportFormat, JOB_ERROR_CODES, JobStatus } from '#contract/export-job.ts';
import type { EpochMs, EpochSeconds } from '#idempotency/epoch.ts';

/** The pair that fences a worker: whoever holds an older one is stale. */
export type Fence = { readonly run: number; readonly leaseId: string };

export type JobFile = { readonly bytes: number; readonly sha256: string };

export type JobErrorCode = (typeof JOB_ERROR_CODES)[number];

export type JobError = {
  readonly code: JobErrorCode;
  readonly detail: string;
  /** Places in `articleIds` of what is missing, counted from 0. */
  readonly missing?: readonly number[];
};

export type Job = {
  /** Hash of the principal. */
  readonly owner: string;
  readonly jobId: string;
  readonly status: JobStatus;
  readonly idempotencyKey: string;
  readonly format: ExportFormat;
  readonly language: string;
  readonly articleCount: number;
  readonly title?: string;
  readonly sourceBatchId?: string;
  /** Absent when they are stored apart: see the port's readArticleIds. */
  readonly articleIds?: readonly string[];
  readonly createdAtMs: EpochMs;
  readonly startedAtMs?: EpochMs;
  readonly finishedAtMs?: EpochMs;
  readonly progressDone: number;
  /** The worker's goes, counted from 1; 0 before the first. */
  readonly run: number;
  readonly leaseId?: string;
  readonly leaseUntilMs?: EpochMs;
  readonly cancelRequested?: true;
  readonly file?: JobFile;
  readonly error?: JobError;
  /** The job is never purged before its key record. */
  readonly keyPurgeAtSeconds: EpochSeconds;
  readonly purgeAtSeconds?: EpochSeconds;
};

/** Which job. */
export type JobName = Pick<Job, 'owner' | 'jobId'>;

/** A job as create makes it, its article IDs in hand. */
export type NewJob = Job & { readonly articleIds: readonly string[] };

export const JOB_MOVES = {
  claim: { from: ['queued', 'running'], to: 'running' },
  renew: { from: ['running'], to: 'running' },
  release: { from: ['running'], to: 'running' },
  requestCancel: { from: ['running'], to: 'running' },
  cancelQueued: { from: ['queued'], to: 'cancelled' },
  succeed: { from: ['running'], to: 'succeeded' },
  fail: { from: ['running'], to: 'failed' },
  cancelRunning: { from: ['running'], to: 'cancelled' },
} as const satisfies Record<
  string,
  { readonly from: readonly JobStatus[]; readonly to: JobStatus }
>;

export type JobMove = keyof typeof JOB_MOVES;

export function isFinished(status: JobStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

/** Where a run's file goes. Every run has its own place; nothing is ever overwritten. */
export function fileKeyOf(job: Job, fence: Fence, extension: string): string {
  return `exports/${job.owner}/${job.jobId}/${fence.run}-${fence.leaseId}.${extension}`;
}
