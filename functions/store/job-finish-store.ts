// The one transaction for every end of a job: the end and the notification it owes, or neither.
//
//   worker A (stale)          worker B                     caller
//   …frozen…                  claim run 2
//   thaws, finishes run 1     finishes run 2               cancels
//   condition false: stale    first of these two wins; the other finds the job finished

import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { isFinished, type Job, type JobMove } from '#export-jobs/job.ts';
import type { Finish, FinishResult } from '#export-jobs/job-lease-port.ts';
import type { SendOptions } from '#idempotency/commit-port.ts';
import { toItem } from '#store/item.ts';
import { bitsFromPlaces, jobFromItem } from '#store/job-item.ts';
import { moveExpression } from '#store/job-move.ts';
import { notificationItem } from '#store/notification-item.ts';
import { sendTransaction, type TransactionAnswer } from '#store/send-once.ts';
import type { TableNames } from '#store/tables.ts';

export async function finishIfHeld(
  client: DynamoDBClient,
  tables: TableNames,
  finish: Finish,
  options: SendOptions,
): Promise<FinishResult> {
  const command = new TransactWriteItemsCommand({
    ClientRequestToken: options.token,
    ReturnConsumedCapacity: 'INDEXES',
    TransactItems: [
      { Update: jobUpdate(tables.exportJobs, finish) },
      {
        Put: {
          TableName: tables.notifications,
          Item: notificationItem(finish),
          ConditionExpression: 'attribute_not_exists(notificationId)',
        },
      },
    ],
  });
  const answer = await sendTransaction(command, options, (o) => client.send(command, o), 2);
  return finishResult(answer, finish);
}

/** Which move an end is. */
function moveOf({ held, end }: Finish): JobMove {
  if (held.by === 'nobody') return 'cancelQueued';
  return ({ succeeded: 'succeed', failed: 'fail', cancelled: 'cancelRunning' } as const)[
    end.status
  ];
}

function jobUpdate(TableName: string, finish: Finish) {
  const { job, held, end } = finish;
  const move = moveExpression(moveOf(finish));
  const set = [move.set, 'finishedAtMs = :finishedAt', 'purgeAtSeconds = :purgeAt'];
  const values: Record<string, unknown> = {
    ...move.values,
    ':finishedAt': finish.finishedAtMs,
    ':purgeAt': finish.purgeAtSeconds,
  };
  if (end.status === 'succeeded') {
    set.push('#file = :file', 'progressDone = :done');
    values[':file'] = end.file;
    values[':done'] = job.articleCount;
  }
  if (end.status === 'failed') {
    set.push('#error = :error');
    const { missing, ...error } = end.error;
    values[':error'] = missing ? { ...error, missing: bitsFromPlaces(missing) } : error;
  }
  const conditions = ['attribute_exists(jobId)', move.condition];
  if (held.by !== 'nobody') {
    conditions.push('run = :run', 'leaseId = :leaseId');
    values[':run'] = held.fence.run;
    values[':leaseId'] = held.fence.leaseId;
  }
  if (held.by === 'lapsed-lease') {
    conditions.push('leaseUntilMs < :now');
    values[':now'] = held.nowMs;
  }
  if (end.status === 'succeeded') conditions.push('attribute_not_exists(cancelRequested)');
  return {
    TableName,
    Key: toItem({ owner: job.owner, jobId: job.jobId }),
    UpdateExpression: `SET ${set.join(', ')} REMOVE sweepShard, dueAtMs, leaseUntilMs`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: {
      '#status': 'status',
      ...(end.status === 'succeeded' && { '#file': 'file' }),
      ...(end.status === 'failed' && { '#error': 'error' }),
    },
    ExpressionAttributeValues: toItem(values),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function finishResult(answer: TransactionAnswer, finish: Finish): FinishResult {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'ok', job: finish.job };
    case 'cancelled': {
      const [onJob, onNotification] = answer.reasons;
      if (onJob?.code === 'ConditionFailed') {
        return refusedResult(onJob.item && jobFromItem(onJob.item), finish);
      }
      if (onNotification?.code === 'ConditionFailed' && onJob?.code === 'None') {
        return { kind: 'unknown', why: 'a notification without the end that it belongs to' };
      }
      const refused = answer.reasons.some(({ code }) => code === 'Refused');
      return { kind: 'not-applied', why: refused ? 'refused' : 'conflict' };
    }
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}

/** The condition was false: by our own first write, by a cancel request, or because another one holds it. */
function refusedResult(job: Job | undefined, { held, end }: Finish): FinishResult {
  if (!job) return { kind: 'stale' };
  const mine =
    held.by === 'nobody' || (job.run === held.fence.run && job.leaseId === held.fence.leaseId);
  if (mine && isFinished(job.status) && job.status === end.status) return { kind: 'ok', job };
  if (mine && job.status === 'running' && job.cancelRequested && end.status === 'succeeded') {
    return { kind: 'cancel-requested' };
  }
  return { kind: 'stale', job };
}
