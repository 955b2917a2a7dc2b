// The notification that the end of a job owes: one row an ending, written in the same transaction.
// While nobody is registered to be told, it is settled at once.

import type { Finish } from '#export-jobs/job-lease-port.ts';
import type { Item } from '#store/item.ts';

export function notificationItem({ job, end, finishedAtMs, purgeAtSeconds, held }: Finish): Item {
  const fence = held.by === 'nobody' ? undefined : held.fence;
  return {
    owner: job.owner,
    notificationId: job.jobId,
    jobId: job.jobId,
    event: `export-job.${end.status}`,
    run: fence?.run ?? job.run,
    leaseId: fence?.leaseId,
    createdAtMs: finishedAtMs,
    state: 'settled',
    settledAtMs: finishedAtMs,
    purgeAtSeconds,
  };
}
