// The writes of the lease port by their names, for cases that hold for each of them.

import type { HeldJob, JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { SendOptions } from '#idempotency/commit-port.ts';
import { plusMs } from '#idempotency/epoch.ts';
import { finishOf } from '#test/ports/job-end-cases.ts';
import { after, leaseOf } from '#test/ports/sample-values.ts';

/** When the lease of a claimed job is over. */
export const UNTIL = after(60_000);

/** Each write of a holder, by its name. */
export function heldWrites(leases: JobLeasePort, { job, fence }: HeldJob) {
  const renewal = { leaseUntilMs: after(90_000), progressDone: 1 };
  return {
    renew: (o: SendOptions) => leases.renewLease({ job, fence }, renewal, o),
    release: (o: SendOptions) => leases.releaseLease({ job, fence }, after(1_000), o),
    finish: (o: SendOptions) =>
      leases.finishIfHeld(finishOf(job, { held: { by: 'fence', fence } }), o),
  };
}

/** Every write of the port, on a job under a lease. */
export function allWrites(leases: JobLeasePort, { job, fence }: HeldJob) {
  return {
    claim: (o: SendOptions) => leases.claimLease(job, leaseOf({ nowMs: plusMs(UNTIL, 1) }), o),
    cancel: (o: SendOptions) => leases.requestCancel(job, o),
    ...heldWrites(leases, { job, fence }),
  };
}
