// The one transaction for every end of a job: the end and the notification it owes, or neither.
//
//   worker A (stale)          worker B                     caller
//   …frozen…                  claim run 2
//   thaws, finishes run 1     finishes run 2               cancels
//   condition false: stale    first of these two wins; the other finds the job finished

import { isFinished, type Job, type JobMove } from '#export-jobs/job.ts';
import type { Finish, FinishResult } from '#export-jobs/job-lease-port.ts';
import { mapFound, type ReadResult, type SendOptions } from '#idempotency/commit-port.ts';
import { notApplied } from '#store/commit-store.ts';
import type { Dynamo, TransactAnswer } from '#store/dynamo.ts';
import { putNew, type Update, updateOne } from '#store/dynamo-input.ts';
import { bitsFromPlaces, jobFromItem, jobsIn } from '#store/job-item.ts';
import { moveExpression } from '#store/job-move.ts';
import { notificationItem } from '#store/notification-item.ts';
import { outboxRowsIn } from '#store/outbox-row.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

export function finishIfHeldIn(dynamo: Dynamo, tables: TableNames) {
  const jobs = jobsIn(tables.exportJobs);
  const rows = outboxRowsIn(tables.notifications);
  return async (finish: Finish, options: SendOptions): Promise<FinishResult> => {
    const row = { item: notificationItem(finish), key: TABLES.notifications.range };
    const actions = [updateOne(jobs, jobUpdate(finish)), putNew(rows, row)];
    return finishResult(await dynamo.transact(actions, options), finish);
  };
}

/** Which move an end is. */
function moveOf({ held, end }: Finish): JobMove {
  if (held.by === 'nobody') return 'cancelQueued';
  return ({ succeeded: 'succeed', failed: 'fail', cancelled: 'cancelRunning' } as const)[
    end.status
  ];
}

function jobUpdate(finish: Finish): Update {
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
    key: { owner: job.owner, jobId: job.jobId },
    update: `SET ${set.join(', ')} REMOVE sweepShard, dueAtMs, leaseUntilMs`,
    condition: conditions.join(' AND '),
    names: {
      '#status': 'status',
      ...(end.status === 'succeeded' && { '#file': 'file' }),
      ...(end.status === 'failed' && { '#error': 'error' }),
    },
    values,
  };
}

function finishResult(answer: TransactAnswer, finish: Finish): FinishResult {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'ok', job: finish.job };
    case 'cancelled': {
      const [onJob, onNotification] = answer.reasons;
      if (onJob?.code === 'ConditionFailed') {
        return refusedResult(mapFound(onJob.standing, jobFromItem), finish);
      }
      if (onNotification?.code === 'ConditionFailed' && onJob?.code === 'None') {
        return { kind: 'unknown', why: 'a notification without the end that it belongs to' };
      }
      return notApplied(answer.reasons) ?? { kind: 'not-applied', why: 'conflict' };
    }
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}

/** The condition was false: by our own first write, by a cancel request, or because another one holds it. */
function refusedResult(standing: ReadResult<Job>, { held, end }: Finish): FinishResult {
  if (standing.kind === 'failed') {
    return { kind: 'unknown', why: 'a job stood in the way and cannot be read' };
  }
  if (standing.kind === 'none') return { kind: 'stale' };
  const job = standing.value;
  const mine =
    held.by === 'nobody' || (job.run === held.fence.run && job.leaseId === held.fence.leaseId);
  if (mine && isFinished(job.status) && job.status === end.status) return { kind: 'ok', job };
  if (mine && job.status === 'running' && job.cancelRequested && end.status === 'succeeded') {
    return { kind: 'cancel-requested' };
  }
  return { kind: 'stale', job };
}
