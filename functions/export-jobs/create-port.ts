// What create asks of the store beside commit-once itself: the job and, where asked, a permanent claim.

import type { NewJob } from '#export-jobs/job.ts';
import type { CommitPort } from '#idempotency/commit-port.ts';
import { hashOfParts, type Principal } from '#idempotency/scope.ts';

export type ExportJobEffect = {
  readonly job: NewJob;
  /** Key of the claim in BusinessKeys; absent without a source batch. */
  readonly claimKey?: string;
};

export type ExportJobCommitPort = CommitPort<ExportJobEffect>;

/** The partition of everything a principal owns. */
export function ownerOf(principal: Principal): string {
  return hashOfParts(['owner', principal.issuer, principal.subject]);
}

/** One source batch of one principal, for ever. */
export function claimKeyOf(principal: Principal, sourceBatchId: string): string {
  return hashOfParts(['source-batch', principal.issuer, principal.subject, sourceBatchId]);
}
