// Keeps a lease while work goes on, writes progress with it, and stops the work when the lease is lost,
// when a cancel is requested, or when the lease could not be renewed in time.
// Must never: go on beating after stop() was awaited, or let work go on under a lease that is over.

import type { Fence, Job } from '#export-jobs/job.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { RunEnvironment } from '#export-jobs/run-port.ts';
import { storeBudget } from '#export-jobs/store-budget.ts';
import { plusMs } from '#idempotency/epoch.ts';
import { sendUntilSettled } from '#idempotency/store-tries.ts';

export type StopReason = 'stale' | 'cancel-requested' | 'lease-not-renewed' | 'out-of-time';

export class WorkStopped extends Error {
  override readonly name = 'WorkStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the work on this job was stopped: ${reason}`);
    this.reason = reason;
  }
}

export type Heartbeat = {
  /** Aborts with a WorkStopped. */
  readonly signal: AbortSignal;
  readonly progress: (done: number) => void;
  /** @throws WorkStopped when the lease is no longer surely held: call it before each side effect */
  readonly assertHeld: () => void;
  /** No beat is under way afterwards. */
  readonly stop: () => Promise<void>;
};

/** Time that a side effect may take to reach its store, milliseconds. */
const LEASE_MARGIN_MS = 2_000;
/** Left of an invocation, this little is kept to give the lease back, milliseconds. */
const PLATFORM_MARGIN_MS = 5_000;

export function startHeartbeat(
  job: Job,
  fence: Fence,
  leases: JobLeasePort,
  env: RunEnvironment,
): Heartbeat {
  const work = new AbortController();
  const beating = new AbortController();
  const marginMs = Math.min(LEASE_MARGIN_MS, env.leaseMs / 4);
  let done = 0;
  let leaseUntilMs = job.leaseUntilMs ?? env.clock.nowMs();

  const stopWork = (reason: StopReason) => work.abort(new WorkStopped(reason));
  const leaseLeftMs = () => leaseUntilMs - marginMs - env.clock.nowMs();

  /** The next beat, or the end of the lease or of the platform's time, whichever comes first. */
  const untilNextLookMs = () =>
    Math.max(
      0,
      Math.min(env.heartbeatMs, leaseLeftMs(), env.platformRemainingMs() - PLATFORM_MARGIN_MS),
    );

  async function beat(): Promise<void> {
    const untilMs = plusMs(env.clock.nowMs(), env.leaseMs);
    const sent = await sendUntilSettled(
      (options) =>
        leases.renewLease(job, fence, { leaseUntilMs: untilMs, progressDone: done }, options),
      () => beating.signal.aborted,
      { ...env, budget: storeBudget(env, Math.max(1, leaseLeftMs())) },
    );
    if (beating.signal.aborted) return;
    if (sent.kind === 'settled' && sent.value.kind === 'stale') stopWork('stale');
    else if (sent.kind === 'settled' && sent.value.kind === 'ok') {
      leaseUntilMs = untilMs;
      if (sent.value.job.cancelRequested) stopWork('cancel-requested');
    } else if (leaseLeftMs() <= 0) stopWork('lease-not-renewed');
  }

  async function beatOn(): Promise<void> {
    while (!work.signal.aborted) {
      await env.sleepMs(untilNextLookMs(), beating.signal);
      if (beating.signal.aborted) return;
      if (env.platformRemainingMs() <= PLATFORM_MARGIN_MS) stopWork('out-of-time');
      else if (leaseLeftMs() <= 0) stopWork('lease-not-renewed');
      else await beat();
    }
  }
  const beats = beatOn().catch((cause: unknown) => work.abort(cause));

  return {
    signal: work.signal,
    progress: (count) => {
      done = count;
    },
    assertHeld() {
      if (leaseLeftMs() <= 0) stopWork('lease-not-renewed');
      work.signal.throwIfAborted();
    },
    async stop() {
      beating.abort();
      await beats;
    },
  };
}
