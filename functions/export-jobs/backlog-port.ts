// What waits without anybody asking for it: notifications owed, records that DynamoDB should have purged.
// Guarantees of an adapter: both are bounded reads, eventually consistent, and change nothing.

import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { EpochMs, EpochSeconds } from '#idempotency/epoch.ts';

type BacklogOptions = Pick<ReadOptions, 'timeoutMs'>;

export type BacklogPort = {
  /** When the notification that is longest overdue was due; `none` when nothing is. */
  readonly oldestDueNotification: (
    nowMs: EpochMs,
    options: BacklogOptions,
  ) => Promise<ReadResult<EpochMs>>;
  /**
   * Purge times of some records of the table, at a place that `random` in [0, 1) chooses. A sample, not
   * a count: no index may slow the table of keys down.
   */
  readonly samplePurgeTimes: (
    random: number,
    options: BacklogOptions,
  ) => Promise<ReadResult<readonly EpochSeconds[]>>;
};
