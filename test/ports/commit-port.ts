// The suite of the commit port, over what a create makes: a record, a job and a claim.

import { expect } from 'vitest';
import type { CommitResult } from '#idempotency/commit-port.ts';
import { plusMs } from '#idempotency/epoch.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import {
  abandonedRecord,
  committedRecord,
  effectOf,
  GLANCE,
  NOW,
  named,
  READ,
  sending,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

type Commit = {
  readonly record: CommittedRecord;
  readonly effect: ReturnType<typeof effectOf>;
};

const commitOf = (record = committedRecord(), claimKey?: string): Commit => ({
  record,
  effect: effectOf(record, claimKey),
});

function send(
  { ports }: StoreBench,
  { record, effect }: Commit,
  options = sending(),
): Promise<CommitResult> {
  return ports.commits.prepare(record, effect).send(options);
}

/** What of a commit stands in the tables. */
async function standing({ ports }: StoreBench, { record, effect }: Commit) {
  const stored = await ports.commits.readRecord(record.recordKey, READ);
  const job = await ports.jobs.readJob(effect.job.owner, effect.job.jobId, READ);
  return { record: stored.kind, job: job.kind };
}
const NOTHING = { record: 'none', job: 'none' };
const ALL = { record: 'found', job: 'found' };

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

    '6. says for certain that a throttle and a conflict wrote nothing': async (on) => {
      for (const why of ['throttled', 'conflict'] as const) {
        const commit = commitOf();
        const refused = on.faults.refuse(why);

        const sent = await send(on, commit);

        expect(refused.bitten()).toBe(1);
        expect(sent).toEqual({ kind: 'not-applied', why });
        expect(await standing(on, commit)).toEqual(NOTHING);
      }
    },

    '6. tells a lost answer and a lost request alike: unknown': async (on) => {
      const [applied, lost] = [commitOf(), commitOf()];
      const answer = on.faults.loseAnswer();
      const first = await send(on, applied);
      const request = on.faults.loseRequest();
      const second = await send(on, lost);

      expect([answer.bitten(), request.bitten()]).toEqual([1, 1]);
      expect([first.kind, second.kind]).toEqual(['unknown', 'unknown']);
      expect(await standing(on, applied)).toEqual(ALL);
      expect(await standing(on, lost)).toEqual(NOTHING);
    },

    '6. takes a refusal for unknown when nothing proves what stands in the way': async (on) => {
      const first = commitOf(committedRecord(), 'claim');
      await send(on, first);
      const bare = on.faults.bareRefusals();
      const empty = on.faults.emptyReads();

      const onRecord = await send(on, commitOf(committedRecord(first.record.recordKey)));
      const onClaim = await send(on, commitOf(committedRecord(), 'claim'));

      expect([bare.bitten(), empty.bitten()]).toEqual([2, 2]);
      expect([onRecord.kind, onClaim.kind]).toEqual(['unknown', 'unknown']);
    },

    '7. reads at once what was acknowledged, as it was written': async (on) => {
      const commit = commitOf();
      await send(on, commit);

      const read = await on.ports.commits.readRecord(commit.record.recordKey, READ);

      const { receipt, ...written } = commit.record;
      expect(read).toMatchObject({ kind: 'found', value: written });
      expect(receiptOf(read)).toBe(Buffer.from(receipt).toString());
    },

    '8. throws a record or a claim that does not parse': async (on) => {
      const commit = commitOf(committedRecord(), named('claim'));
      await send(on, commit);
      const { recordKey } = commit.record;
      await on.spoil({ of: 'record', key: recordKey });
      await on.spoil({ of: 'claim', key: commit.effect.claimKey ?? '' });

      const reads = [
        () => on.ports.commits.readRecord(recordKey, READ),
        () => on.ports.commits.readClaim(commit.effect, READ),
        () => send(on, commitOf(committedRecord(recordKey))),
      ];

      for (const read of reads)
        await expect(read()).rejects.toMatchObject({ code: 'corrupt-item' });
    },

    '9. says none by a consistent read, and by no other': async (on) => {
      const { commits } = on.ports;
      const { effect } = commitOf(committedRecord(), named('claim'));

      const proven = [
        await commits.readRecord('nobody', READ),
        await commits.readClaim(effect, READ),
      ];
      const glanced = [
        await commits.readRecord('nobody', GLANCE),
        await commits.readClaim(effect, GLANCE),
      ];

      expect(proven).toEqual([{ kind: 'none' }, { kind: 'none' }]);
      expect(glanced).toEqual([{ kind: 'failed' }, { kind: 'failed' }]);
    },

    '9. says failed of an answer that proves nothing': async (on) => {
      const commit = commitOf(committedRecord(), named('claim'));
      await send(on, commit);
      const empty = on.faults.emptyReads();

      const reads = [
        await on.ports.commits.readRecord(commit.record.recordKey, READ),
        await on.ports.commits.readClaim(commit.effect, READ),
      ];

      expect(empty.bitten()).toBe(2);
      expect(reads).toEqual([{ kind: 'failed' }, { kind: 'failed' }]);
    },

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

function receiptOf(read: Awaited<ReturnType<StoreBench['ports']['commits']['readRecord']>>) {
  if (read.kind !== 'found' || read.value.state !== 'committed') return undefined;
  return Buffer.from(read.value.receipt).toString();
}
