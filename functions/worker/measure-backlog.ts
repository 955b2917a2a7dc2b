// The scheduled function that only looks: how old the oldest notification owed is, and whether DynamoDB
// purges what it should. Must never change anything, and never read a record's content.

import type { BacklogPort } from '#export-jobs/backlog-port.ts';
import { epochMs } from '#idempotency/epoch.ts';
import type { WorkerLog, WorkerSignals } from '#worker/worker-log.ts';

export type BacklogSettings = {
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly storeTimeoutMs: number;
};

/** Places of the table that one look samples. */
const SAMPLES = 5;

/** @throws when the backlog cannot be read: the platform's error count tells, and the metric is missing */
export function measureBacklogHandler(
  backlog: BacklogPort,
  { nowMs, random, storeTimeoutMs }: BacklogSettings,
  { log, signals }: { readonly log: WorkerLog; readonly signals: WorkerSignals },
) {
  const options = { timeoutMs: storeTimeoutMs };
  return async (): Promise<void> => {
    const atMs = epochMs(Math.floor(nowMs()));
    const due = await backlog.oldestDueNotification(atMs, options);
    if (due.kind === 'failed') throw new Error('the notifications owed cannot be listed');
    const outboxOldestMs = due.kind === 'found' ? atMs - due.value : 0;
    let purgeOverdueMs = 0;
    let sampled = 0;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const read = await backlog.samplePurgeTimes(random(), options);
      if (read.kind !== 'found') throw new Error('the records cannot be sampled');
      sampled += read.value.length;
      for (const purgeAtSeconds of read.value) {
        purgeOverdueMs = Math.max(purgeOverdueMs, atMs - purgeAtSeconds * 1000);
      }
    }
    log.info('backlog', { outboxOldestMs, purgeOverdueMs, sampled });
    signals.measure('OutboxOldest', outboxOldestMs);
    signals.measure('PurgeOverdue', purgeOverdueMs);
    signals.publish();
  };
}
