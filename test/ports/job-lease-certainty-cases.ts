// What is certain of a write under a lease, and what is not: cases of the lease port.

import { expect } from 'vitest';
import type { SendOptions } from '#idempotency/commit-port.ts';
import { allWrites, heldWrites } from '#test/ports/job-lease-writes.ts';
import type { Cases } from '#test/ports/port-suite.ts';
import { claimedJob, jobAsRead, leaseOf, sending } from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

export const JOB_LEASE_CERTAINTY_CASES: Cases<StoreBench> = {
  '11. sends nothing once maySend says no': async (on) => {
    const held = await claimedJob(on);
    const writes = allWrites(on.ports.leases, held);
    const before = on.faults.writes();

    for (const [name, write] of Object.entries(writes)) {
      const answer = await write(sending({ maySend: () => false }));
      expect([name, answer]).toEqual([name, { kind: 'not-applied', why: 'not-sent' }]);
    }
    expect(on.faults.writes()).toBe(before);
  },

  '11. says for certain that a throttle and a conflict wrote nothing': async (on) => {
    const held = await claimedJob(on);
    const before = await jobAsRead(on, held.job);

    for (const [name, write] of Object.entries(allWrites(on.ports.leases, held))) {
      for (const why of ['throttled', 'conflict'] as const) {
        const refused = on.faults.refuse(why);
        expect([name, await write(sending())]).toEqual([name, { kind: 'not-applied', why }]);
        expect(refused.bitten()).toBe(1);
      }
    }
    expect(await jobAsRead(on, held.job)).toEqual(before);
  },

  '11. takes a lost request for unknown': async (on) => {
    const held = await claimedJob(on);
    const before = await jobAsRead(on, held.job);

    for (const [name, write] of Object.entries(allWrites(on.ports.leases, held))) {
      const lost = on.faults.loseRequest();
      expect([name, (await write(sending())).kind]).toEqual([name, 'unknown']);
      expect(lost.bitten()).toBe(1);
    }
    expect(await jobAsRead(on, held.job)).toEqual(before);
  },

  '11. reads what a bare refusal does not tell, and is unknown when that proves nothing': async (
    on,
  ) => {
    const { job } = await claimedJob(on);
    const writes = heldWrites(on.ports.leases, { job, fence: { run: 9, leaseId: 'another' } });
    const claim = (o: SendOptions) => on.ports.leases.claimLease(job, leaseOf(), o);
    const bare = on.faults.bareRefusals();

    const read = await claim(sending());
    const told = await Promise.all(Object.values(writes).map((write) => write(sending())));
    on.faults.emptyReads();
    const blind = [await claim(sending())];
    const blinded = await Promise.all(Object.values(writes).map((write) => write(sending())));

    expect(bare.bitten()).toBe(8);
    expect(read).toEqual({ kind: 'held' });
    for (const each of told) expect(each.kind).toBe('stale');
    for (const each of [...blind, ...blinded]) expect(each.kind).toBe('unknown');
  },
};
