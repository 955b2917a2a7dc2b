// Leases on jobs: conditional updates only. (run, leaseId) is the fence; see the port for what it promises.

import type { Fence, Job, JobMove } from '#export-jobs/job.ts';
import type { ClaimResult, HeldResult, JobLeasePort, Lease } from '#export-jobs/job-lease-port.ts';
import type { NotApplied, ReadResult, SendOptions, Unknown } from '#idempotency/commit-port.ts';
import { laterOf, plusMs } from '#idempotency/epoch.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { finishIfHeldIn } from '#store/job-finish-store.ts';
import { type DueTimes, jobsIn } from '#store/job-item.ts';
import { moveExpression } from '#store/job-move.ts';
import type { TableNames } from '#store/tables.ts';

const HELD = 'run = :run AND leaseId = :leaseId';
/** A running job may be claimed only when its lease is over; a queued one has none. */
const LEASE_IS_OVER = '(attribute_not_exists(leaseUntilMs) OR leaseUntilMs < :now)';

export function createJobLeaseStore(
  dynamo: Dynamo,
  tables: TableNames,
  { leaseOverdueMs }: Pick<DueTimes, 'leaseOverdueMs'>,
): JobLeasePort {
  const update = updateJobIn(dynamo, tables);
  return {
    // Two workers at once: both updates carry the same condition; the first moves the lease into the
    // future, so the second finds it false.
    async claimLease(name, lease, options) {
      const result = await update(
        name,
        {
          move: 'claim',
          set:
            'run = run + :one, leaseId = :leaseId, leaseUntilMs = :until,' +
            ' dueAtMs = :due, progressDone = :zero, startedAtMs = if_not_exists(startedAtMs, :now)',
          condition: `run < :runsMax AND ${LEASE_IS_OVER}`,
          values: {
            ':one': 1,
            ':zero': 0,
            ':leaseId': lease.leaseId,
            ':until': lease.leaseUntilMs,
            ':due': lease.leaseUntilMs + leaseOverdueMs,
            ':now': lease.nowMs,
            ':runsMax': lease.runsMax,
          },
        },
        options,
      );
      if (result.kind === 'updated') return { kind: 'claimed', job: result.job };
      return result.kind === 'refused' ? claimRefused(result.standing, lease) : result;
    },

    async renewLease({ job, fence }, { leaseUntilMs, progressDone }, options) {
      const result = await update(
        job,
        {
          move: 'renew',
          set: 'leaseUntilMs = :until, dueAtMs = :due, progressDone = :done',
          condition: HELD,
          values: {
            ...heldValues(fence),
            ':until': leaseUntilMs,
            ':due': leaseUntilMs + leaseOverdueMs,
            ':done': progressDone,
          },
        },
        options,
      );
      return heldResult(result);
    },

    async releaseLease({ job, fence }, nowMs, options) {
      const overMs = laterOf(job.createdAtMs, plusMs(nowMs, -1));
      const result = await update(
        job,
        {
          move: 'release',
          set: 'leaseUntilMs = :over, dueAtMs = :due',
          condition: HELD,
          values: { ...heldValues(fence), ':over': overMs, ':due': overMs + leaseOverdueMs },
        },
        options,
      );
      return heldResult(result);
    },

    async requestCancel(name, options) {
      const result = await update(
        name,
        {
          move: 'requestCancel',
          set: 'cancelRequested = :true',
          condition: 'attribute_exists(leaseId)',
          values: { ':true': true },
        },
        options,
      );
      return heldResult(result);
    },

    finishIfHeld: finishIfHeldIn(dynamo, tables),
  };
}

type JobUpdate = {
  readonly move: JobMove;
  /** Beside the status. */
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
};
type UpdateResult =
  | { readonly kind: 'updated'; readonly job: Job }
  | { readonly kind: 'refused'; readonly standing: ReadResult<Job> }
  | NotApplied
  | Unknown;

function updateJobIn(dynamo: Dynamo, tables: TableNames) {
  const jobs = jobsIn(tables.exportJobs);
  return async (
    { owner, jobId }: Pick<Job, 'owner' | 'jobId'>,
    { move, set, condition, values }: JobUpdate,
    options: SendOptions,
  ): Promise<UpdateResult> => {
    const moving = moveExpression(move);
    const answer = await dynamo.update(
      jobs,
      {
        key: { owner, jobId },
        update: `SET ${moving.set}, ${set}`,
        condition: `attribute_exists(jobId) AND ${moving.condition} AND ${condition}`,
        names: { '#status': 'status' },
        values: { ...moving.values, ...values },
        returns: true,
      },
      options,
    );
    switch (answer.kind) {
      case 'applied':
        return answer.item
          ? { kind: 'updated', job: answer.item }
          : { kind: 'unknown', why: 'an update without the item that was asked for' };
      case 'condition-failed':
        return { kind: 'refused', standing: answer.standing };
      case 'not-applied':
      case 'unknown':
        return answer;
    }
  };
}

/** What stands in the way of a claim says why it was refused; what does not tell is asked again. */
function claimRefused(
  standing: ReadResult<Job>,
  { leaseId, nowMs, runsMax }: Lease,
): Exclude<ClaimResult, NotApplied> {
  if (standing.kind === 'none') return { kind: 'absent' };
  if (standing.kind === 'failed') return { kind: 'unknown', why: 'a job that cannot be read' };
  const job = standing.value;
  if (job.status === 'queued') return { kind: 'unknown', why: 'a claim refused for no reason' };
  if (job.status !== 'running') return { kind: 'finished' };
  if (job.leaseId === leaseId) return { kind: 'claimed', job };
  if (job.leaseUntilMs !== undefined && job.leaseUntilMs >= nowMs) return { kind: 'held' };
  if (job.run >= runsMax) return { kind: 'runs-exhausted', job };
  return { kind: 'unknown', why: 'a claim refused for no reason' };
}

function heldResult(result: UpdateResult): HeldResult {
  if (result.kind === 'updated') return { kind: 'ok', job: result.job };
  if (result.kind !== 'refused') return result;
  return result.standing.kind === 'failed'
    ? { kind: 'unknown', why: 'a job that cannot be read' }
    : { kind: 'stale' };
}

function heldValues({ run, leaseId }: Fence): Record<string, string | number> {
  return { ':run': run, ':leaseId': leaseId };
}
