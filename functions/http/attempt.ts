// What one request brings along for its use case: its clock, its budget, its tries. Made once a request.

import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import type { Measure } from '#contract/metrics.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';
import { readTimeHeaders } from '#http/time-headers.ts';
import { type Clock, startBudget } from '#idempotency/budget.ts';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import type { RetryBudget } from '#idempotency/retry-budget.ts';
import { startTries, type Tries, type TryPolicy, type TryReport } from '#idempotency/tries.ts';

/** Time and chance, as the process has them; tests put their own. */
export type World = {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly newToken: () => string;
  readonly newJobId: (atMs: EpochMs) => string;
  readonly sleepMs: (ms: number) => Promise<void>;
};

export type AttemptConfig = {
  readonly budgetMs: number;
  /** Kept at the end of Lambda's time, to answer in. */
  readonly platformReserveMs: number;
  readonly lookUpReserveMs: number;
  readonly tries: TryPolicy;
  /** Of this process: what its attempts may retry together. */
  readonly retries: RetryBudget;
  readonly retention: RetentionPolicy;
  readonly readFirst: boolean;
};

export type AttemptParts = {
  readonly config: AttemptConfig;
  readonly world: World;
  readonly signals: { readonly measure: Measure };
};

export type Attempt = {
  readonly tries: Tries;
  readonly retention: RetentionPolicy;
  readonly readFirst: boolean;
  readonly attemptHint: number;
  readonly newAttemptId: () => string;
  readonly newJobId: (atMs: EpochMs) => string;
  /** What is left of the caller's timeout and deadline, milliseconds, whatever our own budget says. */
  readonly callerLeftMs: () => number;
  /** For a request that looks again after waiting: the same clock, the time of one more look. */
  readonly withFreshBudget: () => Attempt;
};

/** @throws ProblemError deadline-invalid or clock-untrusted, before anything is read or written */
export function startAttempt(
  request: HttpRequest,
  { config, world, signals }: AttemptParts,
): Attempt {
  const times = readTimeHeaders(request);
  const clock = trustedClock(request, world);
  const startedMs = clock.monotonicMs();
  // The caller's timeout counts from when the request came in, not from each look.
  const timeoutLeftMs = () =>
    (times.callerTimeoutMs ?? Number.POSITIVE_INFINITY) - (clock.monotonicMs() - startedMs);
  const begin = (): Attempt => ({
    tries: startTries({
      clock,
      budget: startBudget(
        {
          totalMs: config.budgetMs,
          callerTimeoutMs: timeoutLeftMs(),
          ...(times.deadlineMs !== undefined && { deadlineMs: times.deadlineMs }),
          platformRemainingMs: () => request.platformRemainingMs() - config.platformReserveMs,
          lookUpReserveMs: config.lookUpReserveMs,
        },
        clock,
      ),
      policy: config.tries,
      retries: config.retries,
      random: world.random,
      newToken: world.newToken,
      sleepMs: world.sleepMs,
      onTry: measureTries(signals.measure),
    }),
    retention: config.retention,
    readFirst: config.readFirst,
    attemptHint: times.attemptHint,
    newAttemptId: world.newToken,
    newJobId: world.newJobId,
    callerLeftMs: () =>
      Math.min(timeoutLeftMs(), (times.deadlineMs ?? Number.POSITIVE_INFINITY) - clock.nowMs()),
    withFreshBudget: begin,
  });
  return begin();
}

/** What the store did, seen from the attempts. */
function measureTries(measure: Measure): TryReport {
  return (came, tookMs) => {
    measure('StoreLatency', tookMs);
    if (came === 'unknown') measure('StoreUnknown', 1);
    if (came === 'conflict') measure('StoreConflict', 1);
    if (came === 'throttled') measure('StoreThrottle', 1);
  };
}

/** The later of our clock and the gateway's; more than a minute apart, neither is believed. */
function trustedClock(request: HttpRequest, world: World): Clock {
  const { gatewayTimeMs } = request;
  const aheadMs = gatewayTimeMs === undefined ? Number.NaN : gatewayTimeMs - world.nowMs();
  if (!(Math.abs(aheadMs) <= CLOCK_SKEW_MS_MAX)) {
    throw new ProblemError('clock-untrusted');
  }
  const offsetMs = Math.max(0, aheadMs);
  return {
    nowMs: () => epochMs(Math.floor(world.nowMs() + offsetMs)),
    monotonicMs: world.monotonicMs,
  };
}
