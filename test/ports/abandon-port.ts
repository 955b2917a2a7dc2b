// The suite of the abandon port.

import { expect } from 'vitest';
import { plusMs } from '#idempotency/epoch.ts';
import type { AbandonedRecord, CommittedRecord } from '#idempotency/record.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import {
  abandonedRecord,
  committedRecord,
  effectOf,
  GLANCE,
  NOW,
  READ,
  sending,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

async function storedAbandoned(
  { ports }: StoreBench,
  record: AbandonedRecord = abandonedRecord(),
): Promise<AbandonedRecord> {
  expect(await ports.records.putAbandoned(record, sending())).toEqual({ kind: 'committed' });
  return record;
}

async function storedCommitted({ ports }: StoreBench): Promise<CommittedRecord> {
  const record = committedRecord();
  await ports.commits.prepare(record, effectOf(record)).send(sending());
  return record;
}

async function attemptAt({ ports }: StoreBench, recordKey: string): Promise<string | undefined> {
  const read = await ports.records.readRecord(recordKey, READ);
  return read.kind === 'found' ? read.value.attemptId : undefined;
}

/** The same record, put once more by another attempt, with a later life. */
function renewalOf({ recordKey, ...previous }: AbandonedRecord): AbandonedRecord {
  const { committedAtMs: _, ...renewed } = abandonedRecord(recordKey);
  return { ...previous, ...renewed, expiresAtMs: plusMs(previous.expiresAtMs, 1_000) };
}

export const ABANDON_SUITE: PortSuite<StoreBench> = {
  port: 'AbandonPort',
  cases: {
    '1. stores an abandoned record where none is': async (on) => {
      const record = await storedAbandoned(on);

      const read = await on.ports.records.readRecord(record.recordKey, READ);

      expect(read).toEqual({ kind: 'found', value: record });
    },

    '1. gives back what stands there, committed or abandoned, expired or not': async (on) => {
      const committed = await storedCommitted(on);
      const expired = await storedAbandoned(on, {
        ...abandonedRecord(),
        expiresAtMs: plusMs(NOW, -1_000),
      });

      const refused = [
        await on.ports.records.putAbandoned(abandonedRecord(committed.recordKey), sending()),
        await on.ports.records.putAbandoned(abandonedRecord(expired.recordKey), sending()),
      ];

      expect(refused).toMatchObject([
        { kind: 'record-exists', record: { attemptId: committed.attemptId, state: 'committed' } },
        { kind: 'record-exists', record: { attemptId: expired.attemptId, state: 'abandoned' } },
      ]);
      expect(await attemptAt(on, committed.recordKey)).toBe(committed.attemptId);
      expect(await attemptAt(on, expired.recordKey)).toBe(expired.attemptId);
    },

    '2. recognises its own record after a lost answer': async (on) => {
      const record = abandonedRecord();
      const lost = on.faults.loseAnswer();

      const first = await on.ports.records.putAbandoned(record, sending());
      const second = await on.ports.records.putAbandoned(record, sending());

      expect(lost.bitten()).toBe(1);
      expect([first.kind, second.kind]).toEqual(['unknown', 'committed']);
    },

    '2. recognises its own renewal after a lost answer': async (on) => {
      const previous = await storedAbandoned(on);
      const renewal = renewalOf(previous);
      const lost = on.faults.loseAnswer();

      const first = await on.ports.records.renewAbandoned(renewal, previous, sending());
      const second = await on.ports.records.renewAbandoned(renewal, previous, sending());

      expect(lost.bitten()).toBe(1);
      expect([first.kind, second.kind]).toEqual(['unknown', 'committed']);
    },

    '3. renews what stands there unchanged': async (on) => {
      const previous = await storedAbandoned(on);
      const renewal = renewalOf(previous);

      const renewed = await on.ports.records.renewAbandoned(renewal, previous, sending());

      const read = await on.ports.records.readRecord(previous.recordKey, READ);
      expect(renewed).toEqual({ kind: 'committed' });
      expect(read).toEqual({ kind: 'found', value: renewal });
    },

    '3. renews nothing that another attempt renewed, and no committed record': async (on) => {
      const previous = await storedAbandoned(on);
      const first = renewalOf(previous);
      await on.ports.records.renewAbandoned(first, previous, sending());
      const committed = await storedCommitted(on);
      const likeIt = { ...abandonedRecord(committed.recordKey), attemptId: committed.attemptId };

      const late = await on.ports.records.renewAbandoned(renewalOf(previous), previous, sending());
      const over = await on.ports.records.renewAbandoned(renewalOf(likeIt), likeIt, sending());

      expect(late).toMatchObject({ kind: 'record-exists', record: { attemptId: first.attemptId } });
      expect(over).toMatchObject({ kind: 'record-exists', record: { state: 'committed' } });
      expect(await attemptAt(on, committed.recordKey)).toBe(committed.attemptId);
    },

    '3. makes no record that was not there': async (on) => {
      const previous = await storedAbandoned(on);
      await on.purge({ of: 'record', key: previous.recordKey });

      const renewed = await on.ports.records.renewAbandoned(
        renewalOf(previous),
        previous,
        sending(),
      );

      expect(renewed.kind).toBe('unknown');
      expect(await attemptAt(on, previous.recordKey)).toBeUndefined();
    },

    '4. sends nothing once maySend says no': async (on) => {
      const { records } = on.ports;
      const previous = await storedAbandoned(on);
      const before = on.faults.writes();
      const never = sending({ maySend: () => false });

      const sent = [
        await records.putAbandoned(abandonedRecord(), never),
        await records.renewAbandoned(renewalOf(previous), previous, never),
      ];

      expect(on.faults.writes()).toBe(before);
      for (const each of sent) expect(each).toEqual({ kind: 'not-applied', why: 'not-sent' });
      expect(await attemptAt(on, previous.recordKey)).toBe(previous.attemptId);
    },

    '5. says for certain that a throttle and a conflict wrote nothing': async (on) => {
      for (const why of ['throttled', 'conflict'] as const) {
        const record = abandonedRecord();
        on.faults.refuse(why);

        const sent = await on.ports.records.putAbandoned(record, sending());

        expect(sent).toEqual({ kind: 'not-applied', why });
        expect(await attemptAt(on, record.recordKey)).toBeUndefined();
      }
    },

    '5. takes a lost request for unknown': async (on) => {
      const record = abandonedRecord();
      const lost = on.faults.loseRequest();

      const sent = await on.ports.records.putAbandoned(record, sending());

      expect(lost.bitten()).toBe(1);
      expect(sent.kind).toBe('unknown');
      expect(await attemptAt(on, record.recordKey)).toBeUndefined();
    },

    '5. reads what a bare refusal does not tell, and is unknown when that proves nothing': async (
      on,
    ) => {
      const committed = await storedCommitted(on);
      const mine = abandonedRecord(committed.recordKey);
      const bare = on.faults.bareRefusals();

      const read = await on.ports.records.putAbandoned(mine, sending());
      const empty = on.faults.emptyReads();
      const blind = await on.ports.records.putAbandoned(mine, sending());

      expect([bare.bitten(), empty.bitten()]).toEqual([2, 1]);
      expect(read).toMatchObject({ kind: 'record-exists', record: { state: 'committed' } });
      expect(blind.kind).toBe('unknown');
    },

    '6. says none of what is proven absent alone': async (on) => {
      const { records } = on.ports;

      const proven = await records.readRecord('nobody', READ);
      const glanced = await records.readRecord('nobody', GLANCE);
      on.faults.emptyReads();
      const empty = await records.readRecord('nobody', READ);

      expect([proven.kind, glanced.kind, empty.kind]).toEqual(['none', 'failed', 'failed']);
    },

    '6. throws a record that does not parse': async (on) => {
      const { recordKey } = await storedAbandoned(on);
      await on.spoil({ of: 'record', key: recordKey });

      await expect(on.ports.records.readRecord(recordKey, READ)).rejects.toMatchObject({
        code: 'corrupt-item',
      });
      await expect(
        on.ports.records.putAbandoned(abandonedRecord(recordKey), sending()),
      ).rejects.toMatchObject({ code: 'corrupt-item' });
    },
  },
};
