// The time of one attempt. Every try, wait and look-up is paid from it; it is never restarted.
// Wall and monotonic time both count: a process that was frozen finds its budget spent when it thaws.

import type { EpochMs } from '#idempotency/epoch.ts';

export type Clock = {
  /** Wall clock: the later of our own and the gateway's. */
  readonly nowMs: () => EpochMs;
  /** Never goes back; unit milliseconds, origin arbitrary. */
  readonly monotonicMs: () => number;
};

export type BudgetLimits = {
  /** Ours, milliseconds. */
  readonly totalMs: number;
  /** The caller's patience, milliseconds. */
  readonly callerTimeoutMs?: number;
  /** The instant after which the caller no longer wants the operation started. */
  readonly deadlineMs?: EpochMs;
  /** What the platform leaves us, less our reserve, milliseconds. */
  readonly platformRemainingMs: () => number;
  /** Kept for the last look-up, milliseconds; at most a quarter of the budget. */
  readonly lookUpReserveMs: number;
};

export type Budget = {
  /** Milliseconds left for everything, the last look-up included. May be negative. */
  readonly remainingMs: () => number;
  /** Milliseconds left for sending writes. May be negative. */
  readonly remainingForWritesMs: () => number;
  /** Is it the caller's deadline that ends this budget? */
  readonly endsWithDeadline: () => boolean;
};

export function startBudget(limits: BudgetLimits, clock: Clock): Budget {
  const startWallMs = clock.nowMs();
  const startMonotonicMs = clock.monotonicMs();
  const totalMs = Math.min(limits.totalMs, limits.callerTimeoutMs ?? Number.POSITIVE_INFINITY);
  const withoutDeadlineMs = () => {
    const spentMs = Math.max(clock.nowMs() - startWallMs, clock.monotonicMs() - startMonotonicMs);
    return Math.min(totalMs - spentMs, limits.platformRemainingMs());
  };
  const untilDeadlineMs = () =>
    limits.deadlineMs === undefined ? Number.POSITIVE_INFINITY : limits.deadlineMs - clock.nowMs();
  const remainingMs = () => Math.min(withoutDeadlineMs(), untilDeadlineMs());
  const reserveMs = Math.min(limits.lookUpReserveMs, Math.max(0, remainingMs()) / 4);
  return {
    remainingMs,
    remainingForWritesMs: () => remainingMs() - reserveMs,
    endsWithDeadline: () => untilDeadlineMs() <= withoutDeadlineMs(),
  };
}
