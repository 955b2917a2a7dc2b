// What waits without anybody asking for it: notifications owed, records that DynamoDB should have purged.

import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import type { EpochMs, EpochSeconds } from '#idempotency/epoch.ts';

type BacklogOptions = Pick<ReadOptions, 'timeoutMs'>;

/**
 *  1. oldestDueNotification tells when the notification longest overdue was due before nowMs, wherever it is
 *     stored; `none` when nothing is.
 *  2. samplePurgeTimes reads at most 100 records, at a place that `random` in [0, 1) chooses; for every
 *     record there is a `random` that meets it.
 *  3. Both are eventually consistent; what cannot be known is `failed`, never `none` or a shorter list.
 *  4. Neither changes anything.
 */
export type BacklogPort = {
  readonly oldestDueNotification: (
    nowMs: EpochMs,
    options: BacklogOptions,
  ) => Promise<ReadResult<EpochMs>>;
  /** A sample, not a count: no index may slow the table of keys down. */
  readonly samplePurgeTimes: (
    random: number,
    options: BacklogOptions,
  ) => Promise<ReadResult<readonly EpochSeconds[]>>;
};
