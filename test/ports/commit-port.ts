// The suite of the commit port, over what a create makes: a record, a job and a claim.

import { expect } from 'vitest';
import { plusMs } from '#idempotency/epoch.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { COMMIT_CERTAINTY_CASES } from '#test/ports/commit-certainty-cases.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import { ALL, commitOf, NOTHING, receiptOf, send, standing } from '#test/ports/sample-commit.ts';
import { abandonedRecord, committedRecord, NOW, READ, sending } from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

export const COMMIT_SUITE: PortSuite<StoreBench> = {
  port: 'CommitPort',
  cases: {
    '1. stores record, job and claim together': async (on) => {
      const commit = commitOf(committedRecord(), 'claim');

      const sent = await send(on, commit);

      expect(sent).toEqual({ kind: 'committed' });
      expect(await standing(on, commit)).toEqual(ALL);
      expect(await on.ports.commits.readClaim(commit.effect, READ)).toEqual({
        kind: 'found',
        value: {
          recordKey: commit.record.recordKey,
          resourceId: commit.record.resourceId,
          createdAtMs: commit.record.committedAtMs,
        },
      });
    },

    '1. stores neither record nor job when the claim is taken': async (on) => {
      const first = commitOf(committedRecord(), 'claim');
      const second = commitOf(committedRecord(), 'claim');
      await send(on, first);

      const refused = await send(on, second);

      const { recordKey, resourceId } = first.record;
      expect(refused).toMatchObject({ kind: 'claim-taken', claim: { recordKey, resourceId } });
      expect(await standing(on, second)).toEqual(NOTHING);
    },

    '1. claims nothing when the record stands in the way': async (on) => {
      const first = commitOf();
      const second = commitOf(committedRecord(first.record.recordKey), 'claim');
      await send(on, first);

      await send(on, second);

      expect(await on.ports.commits.readClaim(second.effect, READ)).toEqual({ kind: 'none' });
    },

    '2. gives back the record that stands there, and leaves it': async (on) => {
      const first = commitOf();
      const second = commitOf(committedRecord(first.record.recordKey));
      await send(on, first);

      const refused = await send(on, second);

      const { attemptId } = first.record;
      expect(refused).toMatchObject({ kind: 'record-exists', record: { attemptId } });
      expect(await standing(on, first)).toEqual(ALL);
      expect(await on.ports.commits.readRecord(first.record.recordKey, READ)).toMatchObject({
        value: { attemptId },
      });
    },

    '2. takes over neither an expired record nor an abandoned one': async (on) => {
      const expired = { ...committedRecord(), expiresAtMs: plusMs(NOW, -1_000) };
      const abandoned = abandonedRecord();
      await send(on, commitOf(expired));
      await on.ports.records.putAbandoned(abandoned, sending());

      const refused = [
        await send(on, commitOf(committedRecord(expired.recordKey))),
        await send(on, commitOf(committedRecord(abandoned.recordKey))),
      ];

      expect(refused).toMatchObject([
        { kind: 'record-exists', record: { attemptId: expired.attemptId } },
        { kind: 'record-exists', record: { attemptId: abandoned.attemptId, state: 'abandoned' } },
      ]);
    },

    '2. judges the record before the claim': async (on) => {
      const first = commitOf(committedRecord(), 'claim');
      await send(on, first);

      const again = await send(on, commitOf(committedRecord(first.record.recordKey), 'claim'));

      expect(again.kind).toBe('record-exists');
    },

    '2. lets one of many at once through': async (on) => {
      const commits = Array.from({ length: 8 }, () => commitOf(committedRecord('one-key')));

      const sent = await Promise.all(commits.map((commit) => send(on, commit)));

      const jobs = await Promise.all(commits.map((commit) => standing(on, commit)));
      expect(jobs.filter(({ job }) => job === 'found')).toHaveLength(1);
      expect(sent.filter(({ kind }) => kind === 'committed')).toHaveLength(1);
    },

    '3. sends once, whatever comes back': async (on) => {
      const refused = on.faults.refuse('throttled');
      const before = on.faults.writes();

      await send(on, commitOf());

      expect(refused.bitten()).toBe(1);
      expect(on.faults.writes() - before).toBe(1);
    },

    '3. ends within its time, and what was under way may land later': async (on) => {
      const commit = commitOf();
      const held = on.faults.holdWrite();

      const sent = await send(on, commit, sending({ timeoutMs: 100 }));

      expect(sent.kind).toBe('unknown');
      expect(held.bitten()).toBe(1);
      expect(await standing(on, commit)).toEqual(NOTHING);
      await held.land();
      expect(await standing(on, commit)).toEqual(ALL);
    },

    '3. reads what stands in the way when a refusal does not tell': async (on) => {
      const first = commitOf(committedRecord(), 'claim');
      await send(on, first);
      const bare = on.faults.bareRefusals();

      const onRecord = await send(on, commitOf(committedRecord(first.record.recordKey)));
      const onClaim = await send(on, commitOf(committedRecord(), 'claim'));

      const { attemptId, recordKey } = first.record;
      expect(bare.bitten()).toBe(2);
      expect(onRecord).toMatchObject({ kind: 'record-exists', record: { attemptId } });
      expect(onClaim).toMatchObject({ kind: 'claim-taken', claim: { recordKey } });
    },

    '4. is one write with one token, a second time after a lost answer': async (on) => {
      const commit = commitOf();
      const prepared = on.ports.commits.prepare(commit.record, commit.effect);
      const options = sending();
      const lost = on.faults.loseAnswer();

      const sent = await prepared.send(options);
      const again = await prepared.send(options);

      expect(lost.bitten()).toBe(1);
      expect(sent.kind).toBe('unknown');
      expect(again).toEqual({ kind: 'committed' });
    },

    '4. sends what was prepared, whatever became of the objects it was made from': async (on) => {
      const receipt = Buffer.from('as prepared');
      const commit = commitOf({ ...committedRecord(), receipt });
      const prepared = on.ports.commits.prepare(commit.record, commit.effect);

      receipt.fill('x');
      await prepared.send(sending());

      const read = await on.ports.commits.readRecord(commit.record.recordKey, READ);
      expect(receiptOf(read)).toBe('as prepared');
    },

    '5. sends nothing once maySend says no': async (on) => {
      const commit = commitOf();
      const before = on.faults.writes();

      const refused = await send(on, commit, sending({ maySend: () => false }));

      expect(refused).toEqual({ kind: 'not-applied', why: 'not-sent' });
      expect(on.faults.writes()).toBe(before);
      expect(await standing(on, commit)).toEqual(NOTHING);
    },

    ...COMMIT_CERTAINTY_CASES,

    '10. touches no table while it prepares': async (on) => {
      const commit = commitOf();

      on.ports.commits.prepare(commit.record, commit.effect);

      expect(on.faults.writes()).toBe(0);
      expect(await standing(on, commit)).toEqual(NOTHING);
    },

    '10. throws on a record over 1 KB, and on a purge that does not fit its life': async (on) => {
      const { record, effect } = commitOf();
      const seconds = record.purgeAtSeconds;
      const broken: readonly CommittedRecord[] = [
        { ...record, receipt: Buffer.alloc(1024) },
        { ...record, purgeAtSeconds: (seconds * 1000) as typeof seconds },
        { ...record, purgeAtSeconds: Math.floor(seconds / 1000) as typeof seconds },
        { ...record, purgeAtSeconds: Math.floor(record.expiresAtMs / 1000) as typeof seconds },
      ];

      for (const each of broken) expect(() => on.ports.commits.prepare(each, effect)).toThrow();
    },
  },
};
