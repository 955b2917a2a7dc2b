// When a finished job may be purged: after J, and never before its key record.

import { type EpochMs, type EpochSeconds, epochSecondsCeil, plusMs } from '#idempotency/epoch.ts';

export function jobPurgeAtSeconds(
  finishedAtMs: EpochMs,
  keyPurgeAtSeconds: EpochSeconds,
  jobRetentionMs: number,
): EpochSeconds {
  const own = epochSecondsCeil(plusMs(finishedAtMs, jobRetentionMs));
  return own >= keyPurgeAtSeconds ? own : keyPurgeAtSeconds;
}
