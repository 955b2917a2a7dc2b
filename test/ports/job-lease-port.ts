// The suite of the lease port: who gets a job, who keeps it, and what each refusal says.

import { expect } from 'vitest';
import { plusMs } from '#idempotency/epoch.ts';
import { finishOf, JOB_END_CASES } from '#test/ports/job-end-cases.ts';
import { JOB_LEASE_CERTAINTY_CASES } from '#test/ports/job-lease-certainty-cases.ts';
import { allWrites, heldWrites, UNTIL } from '#test/ports/job-lease-writes.ts';
import { JOB_MOVE_CASES } from '#test/ports/job-move-cases.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import {
  after,
  claimedJob,
  jobAsRead,
  leaseOf,
  NOW,
  newJob,
  READ,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

export const JOB_LEASE_SUITE: PortSuite<StoreBench> = {
  port: 'JobLeasePort',
  cases: {
    '1. takes a queued job: run 1, under the lease': async (on) => {
      const { job, lease } = await claimedJob(on);

      const expected = {
        status: 'running',
        run: 1,
        leaseId: lease.leaseId,
        leaseUntilMs: lease.leaseUntilMs,
        startedAtMs: NOW,
      };
      expect(job).toMatchObject(expected);
      expect(await jobAsRead(on, job)).toMatchObject(expected);
    },

    '1. takes a running job once its lease is over, to the millisecond': async (on) => {
      const { leases } = on.ports;
      const { job } = await claimedJob(on, { leaseUntilMs: UNTIL });

      const early = await leases.claimLease(job, leaseOf({ nowMs: UNTIL }), sending());
      const late = await leases.claimLease(job, leaseOf({ nowMs: plusMs(UNTIL, 1) }), sending());

      expect(early).toEqual({ kind: 'held' });
      expect(late).toMatchObject({ kind: 'claimed', job: { run: 2, startedAtMs: NOW } });
    },

    '1. begins the progress of a run anew': async (on) => {
      const { job, fence } = await claimedJob(on);
      const renewal = { leaseUntilMs: UNTIL, progressDone: 1 };
      await on.ports.leases.renewLease({ job, fence }, renewal, sending());

      await on.ports.leases.claimLease(job, leaseOf({ nowMs: plusMs(UNTIL, 1) }), sending());

      expect(await jobAsRead(on, job)).toMatchObject({ run: 2, progressDone: 0 });
    },

    '1. gives a job to one of many at once': async (on) => {
      const job = await storedJob(on);

      const claims = await Promise.all(
        Array.from({ length: 8 }, () => on.ports.leases.claimLease(job, leaseOf(), sending())),
      );

      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      expect((await jobAsRead(on, job)).run).toBe(1);
    },

    '2. says why it took none': async (on) => {
      const { leases } = on.ports;
      const { job } = await claimedJob(on);
      const { job: over } = await claimedJob(on, { runsMax: 1 });
      const cancelled = await storedJob(on);
      await leases.finishIfHeld(finishOf(cancelled, { held: { by: 'nobody' } }), sending());
      const late = leaseOf({ nowMs: plusMs(UNTIL, 1), runsMax: 1 });

      const claims = [
        await leases.claimLease(job, leaseOf(), sending()),
        await leases.claimLease(cancelled, leaseOf(), sending()),
        await leases.claimLease(over, late, sending()),
        await leases.claimLease(newJob(), leaseOf(), sending()),
      ];

      expect(claims).toMatchObject([
        { kind: 'held' },
        { kind: 'finished' },
        { kind: 'runs-exhausted', job: { run: 1 } },
        { kind: 'absent' },
      ]);
    },

    '2. begins the last run that it may, and no other': async (on) => {
      const { job } = await claimedJob(on, { runsMax: 2 });
      const second = leaseOf({ nowMs: plusMs(UNTIL, 1), runsMax: 2 });
      const third = leaseOf({ nowMs: plusMs(UNTIL, 120_000), runsMax: 2 });

      const claims = [
        await on.ports.leases.claimLease(job, second, sending()),
        await on.ports.leases.claimLease(job, third, sending()),
      ];

      expect(claims.map(({ kind }) => kind)).toEqual(['claimed', 'runs-exhausted']);
    },

    '2. calls a job absent only when that is proven': async (on) => {
      const empty = on.faults.emptyReads();

      const claim = await on.ports.leases.claimLease(newJob(), leaseOf(), sending());

      expect(empty.bitten()).toBe(1);
      expect(claim.kind).toBe('unknown');
    },

    '3. renews for the holder, and says when a cancel is asked for': async (on) => {
      const { job, fence } = await claimedJob(on);
      await on.ports.leases.requestCancel(job, sending());
      const renewal = { leaseUntilMs: after(90_000), progressDone: 1 };

      const renewed = await on.ports.leases.renewLease({ job, fence }, renewal, sending());

      expect(renewed).toMatchObject({ kind: 'ok', job: { ...renewal, cancelRequested: true } });
      expect(await jobAsRead(on, job)).toMatchObject(renewal);
    },

    '3. is stale for whoever has another run or another lease': async (on) => {
      const { job, fence } = await claimedJob(on);
      const others = [
        { run: fence.run + 1, leaseId: fence.leaseId },
        { run: fence.run, leaseId: 'another' },
      ];
      const before = await jobAsRead(on, job);

      for (const other of others) {
        const writes = heldWrites(on.ports.leases, { job, fence: other });
        for (const [name, write] of Object.entries(writes)) {
          expect([name, await write(sending())]).toMatchObject([name, { kind: 'stale' }]);
        }
      }
      expect(await jobAsRead(on, job)).toEqual(before);
      expect(await on.outbox()).toEqual([]);
    },

    '3. is stale for a holder whose job was finished': async (on) => {
      const { job, fence } = await claimedJob(on);
      const end = { held: { by: 'fence', fence }, end: { status: 'cancelled' } } as const;
      await on.ports.leases.finishIfHeld(finishOf(job, end), sending());
      const before = await jobAsRead(on, job);

      const writes = heldWrites(on.ports.leases, { job, fence });

      for (const [name, write] of Object.entries(writes)) {
        expect([name, await write(sending())]).toMatchObject([name, { kind: 'stale' }]);
      }
      expect(await jobAsRead(on, job)).toEqual(before);
    },

    ...JOB_MOVE_CASES,

    '4. recognises its own claim after a lost answer': async (on) => {
      const job = await storedJob(on);
      const lease = leaseOf();
      const lost = on.faults.loseAnswer();

      const first = await on.ports.leases.claimLease(job, lease, sending());
      const second = await on.ports.leases.claimLease(job, lease, sending());

      expect(lost.bitten()).toBe(1);
      expect(first.kind).toBe('unknown');
      expect(second).toMatchObject({ kind: 'claimed', job: { run: 1, leaseId: lease.leaseId } });
    },

    '4. is ok a second time for every write whose answer was lost': async (on) => {
      for (const name of ['renew', 'release', 'finish', 'cancel'] as const) {
        const held = await claimedJob(on);
        const write = allWrites(on.ports.leases, held)[name];
        const lost = on.faults.loseAnswer();

        const answers = [await write(sending()), await write(sending({ afterUnknown: true }))];

        expect(lost.bitten()).toBe(1);
        expect([name, ...answers.map(({ kind }) => kind)]).toEqual([name, 'unknown', 'ok']);
      }
    },

    '5. gives a released job to the next at once': async (on) => {
      const { job, fence } = await claimedJob(on);
      const nowMs = after(1_000);

      const released = await on.ports.leases.releaseLease({ job, fence }, nowMs, sending());
      const next = await on.ports.leases.claimLease(job, leaseOf({ nowMs }), sending());

      expect(released.kind).toBe('ok');
      expect(next).toMatchObject({ kind: 'claimed', job: { run: 2 } });
    },

    '6. marks a running job for its cancel, and no other': async (on) => {
      const { leases } = on.ports;
      const { job } = await claimedJob(on);
      const queued = await storedJob(on);
      const finished = await storedJob(on);
      await leases.finishIfHeld(finishOf(finished, { held: { by: 'nobody' } }), sending());

      const marked = await leases.requestCancel(job, sending());
      const stale = [
        await leases.requestCancel(queued, sending()),
        await leases.requestCancel(finished, sending()),
      ];

      expect(marked).toMatchObject({
        kind: 'ok',
        job: { status: 'running', cancelRequested: true },
      });
      expect(stale).toEqual([{ kind: 'stale' }, { kind: 'stale' }]);
      expect(await jobAsRead(on, queued)).not.toHaveProperty('cancelRequested');
      expect(await jobAsRead(on, finished)).not.toHaveProperty('cancelRequested');
    },

    ...JOB_END_CASES,

    '10. makes no job and no notification that were not there': async (on) => {
      const { job, fence } = await claimedJob(on);
      await on.purge({ of: 'job', job });

      const writes = allWrites(on.ports.leases, { job, fence });

      for (const [name, write] of Object.entries(writes)) {
        const kind = name === 'claim' ? 'absent' : 'stale';
        expect([name, (await write(sending())).kind]).toEqual([name, kind]);
      }
      expect((await on.ports.jobs.readJob(job.owner, job.jobId, READ)).kind).toBe('none');
      expect(await on.outbox()).toEqual([]);
    },

    ...JOB_LEASE_CERTAINTY_CASES,
  },
};
