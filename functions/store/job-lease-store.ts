// Leases on jobs: conditional updates only. (run, leaseId) is the fence; see the port for what it promises.

import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Fence, Job, JobMove } from '#export-jobs/job.ts';
import type { HeldResult, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { NotApplied, SendOptions, Unknown } from '#idempotency/commit-port.ts';
import { laterOf } from '#idempotency/epoch.ts';
import type { Item } from '#store/classify-answer.ts';
import { toItem } from '#store/item.ts';
import { finishIfHeld } from '#store/job-finish-store.ts';
import { type DueTimes, jobFromItem } from '#store/job-item.ts';
import { moveExpression } from '#store/job-move.ts';
import { sendWrite } from '#store/send-once.ts';
import type { TableNames } from '#store/tables.ts';

const HELD = 'run = :run AND leaseId = :leaseId';
/** A running job may be claimed only when its lease is over; a queued one has none. */
const LEASE_IS_OVER = '(attribute_not_exists(leaseUntilMs) OR leaseUntilMs < :now)';

export function createJobLeaseStore(
  client: DynamoDBClient,
  tables: TableNames,
  { leaseOverdueMs }: Pick<DueTimes, 'leaseOverdueMs'>,
): JobLeasePort {
  const update = (key: Pick<Job, 'owner' | 'jobId'>, expressions: Expressions, o: SendOptions) =>
    updateJob(client, tables.exportJobs, key, expressions, o);
  return {
    // Two workers at once: both updates carry the same condition; the first moves the lease into the
    // future, so the second finds it false.
    async claimLease(owner, jobId, { leaseId, nowMs, leaseUntilMs, runsMax }, options) {
      const result = await update(
        { owner, jobId },
        {
          move: 'claim',
          set:
            'run = run + :one, leaseId = :leaseId, leaseUntilMs = :until,' +
            ' dueAtMs = :due, progressDone = :zero, startedAtMs = if_not_exists(startedAtMs, :now)',
          condition: `run < :runsMax AND ${LEASE_IS_OVER}`,
          values: {
            ':one': 1,
            ':zero': 0,
            ':leaseId': leaseId,
            ':until': leaseUntilMs,
            ':due': leaseUntilMs + leaseOverdueMs,
            ':now': nowMs,
            ':runsMax': runsMax,
          },
        },
        options,
      );
      if (result.kind === 'updated') return { kind: 'claimed', job: result.job };
      if (result.kind !== 'refused') return result;
      const { job } = result;
      if (!job) return { kind: 'absent' };
      if (job.status === 'queued') return { kind: 'unknown', why: 'a claim refused for no reason' };
      if (job.status !== 'running') return { kind: 'finished' };
      if (job.leaseId === leaseId) return { kind: 'claimed', job };
      if (job.leaseUntilMs !== undefined && job.leaseUntilMs >= nowMs) return { kind: 'held' };
      return { kind: 'runs-exhausted', job };
    },

    async renewLease(job, fence, { leaseUntilMs, progressDone }, options) {
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

    async releaseLease(job, fence, nowMs, options) {
      const overMs = laterOf(job.createdAtMs, (nowMs - 1) as typeof nowMs);
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

    async requestCancel(owner, jobId, options) {
      const result = await update(
        { owner, jobId },
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

    finishIfHeld: (finish, options) => finishIfHeld(client, tables, finish, options),
  };
}

type Expressions = {
  readonly move: JobMove;
  /** Beside the status. */
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
};
type UpdateResult =
  | { readonly kind: 'updated'; readonly job: Job }
  | { readonly kind: 'refused'; readonly job?: Job }
  | NotApplied
  | Unknown;

async function updateJob(
  client: DynamoDBClient,
  TableName: string,
  { owner, jobId }: Pick<Job, 'owner' | 'jobId'>,
  { move, set, condition, values }: Expressions,
  options: SendOptions,
): Promise<UpdateResult> {
  const moving = moveExpression(move);
  const command = new UpdateItemCommand({
    TableName,
    Key: toItem({ owner, jobId }),
    UpdateExpression: `SET ${moving.set}, ${set}`,
    ConditionExpression: `attribute_exists(jobId) AND ${moving.condition} AND ${condition}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: toItem({ ...moving.values, ...values }),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ReturnConsumedCapacity: 'INDEXES',
  });
  const answer = await sendWrite(command, options, (o) => client.send(command, o));
  switch (answer.kind) {
    case 'applied': {
      const item: Item | undefined = answer.output?.Attributes;
      return item
        ? { kind: 'updated', job: jobFromItem(item) }
        : { kind: 'unknown', why: 'an update without the item that was asked for' };
    }
    case 'condition-failed':
      return { kind: 'refused', ...(answer.item && { job: jobFromItem(answer.item) }) };
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}

function heldResult(result: UpdateResult): HeldResult {
  if (result.kind === 'updated') return { kind: 'ok', job: result.job };
  return result.kind === 'refused' ? { kind: 'stale' } : result;
}

function heldValues({ run, leaseId }: Fence): Record<string, string | number> {
  return { ':run': run, ':leaseId': leaseId };
}
