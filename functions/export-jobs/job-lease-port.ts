// Running a job under a lease. Guarantees of an adapter:
//  1. claimLease takes a queued job, or a running one whose lease is over, and counts `run` up by one.
//  2. Every later write is conditional on (run, leaseId) and on the job being unfinished, else `stale`.
//  3. One's own success after a lost answer is recognised by the pair in the item that comes back.
//  4. finishIfHeld writes the end of the job and its notification row in one transaction, exactly once.
//  5. A job with cancelRequested is never finished as succeeded.
//  6. No write makes an item that was not there.

import type { Fence, Job, JobError, JobFile, JobName } from '#export-jobs/job.ts';
import type { NotApplied, SendOptions, Unknown } from '#idempotency/commit-port.ts';
import type { EpochMs, EpochSeconds } from '#idempotency/epoch.ts';

export type Lease = {
  readonly leaseId: string;
  readonly nowMs: EpochMs;
  readonly leaseUntilMs: EpochMs;
  /** More runs than this are not begun. */
  readonly runsMax: number;
};

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly job: Job }
  | { readonly kind: 'held' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'runs-exhausted'; readonly job: Job }
  | { readonly kind: 'absent' }
  | NotApplied
  | Unknown;

export type HeldResult =
  | { readonly kind: 'ok'; readonly job: Job }
  | { readonly kind: 'stale' }
  | NotApplied
  | Unknown;

export type JobEnd =
  | { readonly status: 'succeeded'; readonly file: JobFile }
  | { readonly status: 'failed'; readonly error: JobError }
  | { readonly status: 'cancelled' };

/** What the writer must still hold, and the ends that it may then write: nobody can only cancel. */
export type HeldEnd =
  | {
      readonly held:
        | { readonly by: 'fence'; readonly fence: Fence }
        | { readonly by: 'lapsed-lease'; readonly fence: Fence; readonly nowMs: EpochMs };
      readonly end: JobEnd;
    }
  | { readonly held: { readonly by: 'nobody' }; readonly end: { readonly status: 'cancelled' } };

export type Finish = HeldEnd & {
  readonly job: Job;
  readonly finishedAtMs: EpochMs;
  readonly purgeAtSeconds: EpochSeconds;
};

export type FinishResult =
  | { readonly kind: 'ok'; readonly job: Job }
  | { readonly kind: 'cancel-requested' }
  | { readonly kind: 'stale'; readonly job?: Job }
  | NotApplied
  | Unknown;

/** A job as its run holds it. */
export type HeldJob = { readonly job: Job; readonly fence: Fence };
export type Renewal = { readonly leaseUntilMs: EpochMs; readonly progressDone: number };

export type JobLeasePort = {
  readonly claimLease: (name: JobName, lease: Lease, options: SendOptions) => Promise<ClaimResult>;
  /** Heartbeat: extends the lease and writes progress. Comes back with cancelRequested, if it is set. */
  readonly renewLease: (
    held: HeldJob,
    renewal: Renewal,
    options: SendOptions,
  ) => Promise<HeldResult>;
  /** A worker that fails gives its lease back, so that the next run need not wait for it. */
  readonly releaseLease: (
    held: HeldJob,
    nowMs: EpochMs,
    options: SendOptions,
  ) => Promise<HeldResult>;
  readonly requestCancel: (name: JobName, options: SendOptions) => Promise<HeldResult>;
  readonly finishIfHeld: (finish: Finish, options: SendOptions) => Promise<FinishResult>;
};
