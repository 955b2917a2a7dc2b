// Leases on jobs: conditional updates only. (run, leaseId) is the fence; see the port for what it promises.

import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Fence, Job } from '#export-jobs/job.ts';
import type { HeldResult, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { NotApplied, SendOptions, Unknown } from '#idempotency/commit-port.ts';
import { laterOf } from '#idempotency/epoch.ts';
import type { Item } from '#store/classify-answer.ts';
import { toItem } from '#store/item.ts';
import { finishIfHeld } from '#store/job-finish-store.ts';
import { type DueTimes, jobFromItem } from '#store/job-item.ts';
import { sendWrite } from '#store/send-once.ts';
import type { TableNames } from '#store/tables.ts';

const HELD = '#status = :running AND run = :run AND leaseId = :leaseId';

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
          update:
            'SET #status = :running, run = run + :one, leaseId = :leaseId, leaseUntilMs = :until,' +
            ' dueAtMs = :due, progressDone = :zero, startedAtMs = if_not_exists(startedAtMs, :now)',
          condition:
            'run < :runsMax AND (#status = :queued OR (#status = :running AND leaseUntilMs < :now))',
          values: {
            ':running': 'running',
            ':queued': 'queued',
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
          update: 'SET leaseUntilMs = :until, dueAtMs = :due, progressDone = :done',
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
          update: 'SET leaseUntilMs = :over, dueAtMs = :due',
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
          update: 'SET cancelRequested = :true',
          condition: '#status = :running',
          values: { ':true': true, ':running': 'running' },
        },
        options,
      );
      return heldResult(result);
    },

    finishIfHeld: (finish, options) => finishIfHeld(client, tables, finish, options),
  };
}

type Expressions = {
  readonly update: string;
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
  { update, condition, values }: Expressions,
  options: SendOptions,
): Promise<UpdateResult> {
  const command = new UpdateItemCommand({
    TableName,
    Key: toItem({ owner, jobId }),
    UpdateExpression: update,
    ConditionExpression: `attribute_exists(jobId) AND ${condition}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: toItem(values),
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
    case 'cancelled':
      return { kind: 'unknown', why: 'a cancellation of what is no transaction' };
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
  return { ':running': 'running', ':run': run, ':leaseId': leaseId };
}
