// Keeps a lease while work goes on, writes progress with it, and stops the work when the lease is lost,
// when a cancel is requested, or when the lease could not be renewed in time.
// Must never: go on beating after stop() was awaited, or let work go on under a lease that is over.

import type { HeldJob, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { RunOptions } from '#export-jobs/run-port.ts';
import { storeCall } from '#export-jobs/store-call.ts';
import { plusMs } from '#idempotency/epoch.ts';

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
  held: HeldJob,
  leases: Pick<JobLeasePort, 'renewLease'>,
  options: RunOptions,
): Heartbeat {
  const { leaseMs, heartbeatMs, platformRemainingMs } = options;
  const { nowMs } = options.tries.clock;
  const work = new AbortController();
  const beating = new AbortController();
  const marginMs = Math.min(LEASE_MARGIN_MS, leaseMs / 4);
  let done = 0;
  let leaseUntilMs = held.job.leaseUntilMs ?? nowMs();

  const stopWork = (reason: StopReason) => work.abort(new WorkStopped(reason));
  const leaseLeftMs = () => leaseUntilMs - marginMs - nowMs();

  /** The next beat, or the end of the lease or of the platform's time, whichever comes first. */
  const untilNextLookMs = () =>
    Math.max(0, Math.min(heartbeatMs, leaseLeftMs(), platformRemainingMs() - PLATFORM_MARGIN_MS));

  async function beat(): Promise<void> {
    const untilMs = plusMs(nowMs(), leaseMs);
    const renewal = { leaseUntilMs: untilMs, progressDone: done };
    const sent = await storeCall(options, Math.max(1, leaseLeftMs())).write(
      (o) => leases.renewLease(held, renewal, o),
      () => beating.signal.aborted,
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
      await options.sleepMs(untilNextLookMs(), beating.signal);
      if (beating.signal.aborted) return;
      if (platformRemainingMs() <= PLATFORM_MARGIN_MS) stopWork('out-of-time');
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
