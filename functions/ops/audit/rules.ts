// The numbers that an audit judges by, each with its reason, and the instants it speaks of.

import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';

export type AuditRules = {
  /** When the audit began, and so the youngest instant of which it knows all tables. */
  readonly startedAtMs: number;
  /** From its policy: no record is purged earlier than this after its expiry, milliseconds. */
  readonly graceMsMin: number;
  readonly jobRetentionMs: number;
  /** DynamoDB promises "a few days" from purge time to removal. */
  readonly purgeLagMs: number;
  /** Overdue for longer, a job or a notification is stuck: ten sweeps have passed it by. */
  readonly overdueMs: number;
  /** Five runs of 15 min and their waits are below 2 h; then a job has ended, one way or the other. */
  readonly unfinishedMsMax: number;
};

export function auditRules(
  policy: RetentionPolicy,
  jobRetentionMs: number,
  startedAtMs: number,
): AuditRules {
  return {
    startedAtMs,
    graceMsMin: Math.min(...policy.schedule.map(({ graceMs }) => graceMs)),
    jobRetentionMs,
    purgeLagMs: 4 * 86_400_000,
    overdueMs: 10 * 60_000,
    unfinishedMsMax: 6 * 3_600_000,
  };
}

/**
 * Tables are scanned one after the other while creates go on: what is made after the start may be in one
 * and not yet in another, so that nothing follows. Clocks of functions differ by so much at most.
 */
export function isTooNew(madeAtMs: number, { startedAtMs }: AuditRules): boolean {
  return madeAtMs >= startedAtMs - CLOCK_SKEW_MS_MAX;
}
