// The ends of a job: cases of the lease port that write one, each counted in the tables.

import { expect } from 'vitest';
import type { Fence, Job } from '#export-jobs/job.ts';
import type { Finish, HeldEnd } from '#export-jobs/job-lease-port.ts';
import { epochSecondsCeil, plusMs } from '#idempotency/epoch.ts';
import type { Cases } from '#test/ports/port-suite.ts';
import {
  after,
  claimedJob,
  jobAsRead,
  leaseOf,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

const SUCCESS = { status: 'succeeded', file: { bytes: 12, sha256: 'ab' } } as const;
const FAILURE = {
  status: 'failed',
  error: { code: 'articles-missing', detail: '2 are missing', missing: [0, 9] },
} as const;
const CANCELLED = { status: 'cancelled' } as const;

/** The end of a job; cancelled by nobody, or with its file, unless something else is said. */
export function finishOf(
  job: Job,
  ended:
    | HeldEnd
    | { readonly held: { readonly by: 'nobody' } }
    | { readonly held: { readonly by: 'fence'; readonly fence: Fence } },
): Finish {
  const finishedAtMs = after(60_000);
  const purgeAtSeconds = epochSecondsCeil(plusMs(finishedAtMs, 86_400_000));
  const common = { job, finishedAtMs, purgeAtSeconds };
  if ('end' in ended) return { ...ended, ...common };
  const { held } = ended;
  return held.by === 'nobody'
    ? { held, end: CANCELLED, ...common }
    : { held, end: SUCCESS, ...common };
}

const heldBy = (fence: Fence) => ({ by: 'fence', fence }) as const;

export const JOB_END_CASES: Cases<StoreBench> = {
  '7. writes each end with what belongs to it, and one notification': async (on) => {
    for (const end of [SUCCESS, FAILURE, CANCELLED]) {
      const { job, fence } = await claimedJob(on);
      const finish = finishOf(job, { held: heldBy(fence), end });

      const finished = await on.ports.leases.finishIfHeld(finish, sending());

      const { finishedAtMs, purgeAtSeconds } = finish;
      const stored = await jobAsRead(on, job);
      expect(finished.kind).toBe('ok');
      expect(stored).toMatchObject({ ...end, finishedAtMs, purgeAtSeconds });
      expect(stored.progressDone).toBe(end === SUCCESS ? job.articleCount : 0);
      expect(await rowsOf(on, job)).toEqual([`export-job.${end.status}`]);
    }
  },

  '7. writes one end and one notification, however often it is sent': async (on) => {
    const { job, fence } = await claimedJob(on);
    const finish = finishOf(job, { held: heldBy(fence) });
    const lost = on.faults.loseAnswer();

    const sent = [
      await on.ports.leases.finishIfHeld(finish, sending()),
      await on.ports.leases.finishIfHeld(finish, sending()),
      await on.ports.leases.finishIfHeld(finish, sending()),
    ];

    expect(lost.bitten()).toBe(1);
    expect(sent.map(({ kind }) => kind)).toEqual(['unknown', 'ok', 'ok']);
    expect(await rowsOf(on, job)).toEqual(['export-job.succeeded']);
  },

  '7. lets one of two ends at once win, with its notification': async (on) => {
    const { job, fence } = await claimedJob(on);
    const ends = [SUCCESS, FAILURE].map((end) => finishOf(job, { held: heldBy(fence), end }));

    await Promise.all(ends.map((finish) => on.ports.leases.finishIfHeld(finish, sending())));

    const { status } = await jobAsRead(on, job);
    expect(await rowsOf(on, job)).toEqual([`export-job.${status}`]);
  },

  '8. does not finish as succeeded what shall be cancelled, and nothing is written': async (on) => {
    const { job, fence } = await claimedJob(on);
    await on.ports.leases.requestCancel(job, sending());

    const finished = await on.ports.leases.finishIfHeld(
      finishOf(job, { held: heldBy(fence) }),
      sending(),
    );

    expect(finished).toEqual({ kind: 'cancel-requested' });
    expect((await jobAsRead(on, job)).status).toBe('running');
    expect(await rowsOf(on, job)).toEqual([]);
  },

  '8. finishes it as cancelled or as failed': async (on) => {
    for (const end of [FAILURE, CANCELLED]) {
      const { job, fence } = await claimedJob(on);
      await on.ports.leases.requestCancel(job, sending());

      const finish = finishOf(job, { held: heldBy(fence), end });

      expect((await on.ports.leases.finishIfHeld(finish, sending())).kind).toBe('ok');
      expect((await jobAsRead(on, job)).status).toBe(end.status);
    }
  },

  '9. cancels for nobody what is queued, and not what runs': async (on) => {
    const queued = await storedJob(on);
    const { job: running } = await claimedJob(on);
    const cancel = (job: Job) =>
      on.ports.leases.finishIfHeld(finishOf(job, { held: { by: 'nobody' } }), sending());

    const cancelled = [await cancel(queued), await cancel(running)];

    expect(cancelled).toMatchObject([
      { kind: 'ok' },
      { kind: 'stale', job: { status: 'running', run: 1 } },
    ]);
    expect((await jobAsRead(on, queued)).status).toBe('cancelled');
    expect((await jobAsRead(on, running)).status).toBe('running');
    expect(await on.outbox()).toHaveLength(1);
  },

  '9. ends a run whose lease is over, to the millisecond': async (on) => {
    const { job, fence, lease } = await claimedJob(on);
    const end = { status: 'failed', error: { code: 'runs-exhausted', detail: 'five' } } as const;
    const endAt = (nowMs: typeof lease.nowMs) =>
      on.ports.leases.finishIfHeld(
        finishOf(job, { held: { by: 'lapsed-lease', fence, nowMs }, end }),
        sending(),
      );

    const early = await endAt(lease.leaseUntilMs);
    const late = await endAt(plusMs(lease.leaseUntilMs, 1));

    expect(early).toMatchObject({ kind: 'stale', job: { status: 'running' } });
    expect(late.kind).toBe('ok');
    expect((await jobAsRead(on, job)).status).toBe('failed');
  },

  '9. ends no run that another took over meanwhile': async (on) => {
    const { job, fence, lease } = await claimedJob(on);
    const nowMs = plusMs(lease.leaseUntilMs, 1);
    await on.ports.leases.claimLease(job, leaseOf({ nowMs }), sending());

    const ended = await on.ports.leases.finishIfHeld(
      finishOf(job, { held: { by: 'lapsed-lease', fence, nowMs: plusMs(nowMs, 1) }, end: FAILURE }),
      sending(),
    );

    expect(ended).toMatchObject({ kind: 'stale', job: { status: 'running', run: 2 } });
    expect(await rowsOf(on, job)).toEqual([]);
  },
};

async function rowsOf(on: StoreBench, { jobId }: Job): Promise<readonly string[]> {
  return (await on.outbox()).filter((row) => row.jobId === jobId).map(({ event }) => event);
}
