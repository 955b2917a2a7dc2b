// What is certain of a commit, what of a record, and what is neither: cases of the commit port.

import { expect } from 'vitest';
import type { Cases } from '#test/ports/port-suite.ts';
import { ALL, commitOf, NOTHING, receiptOf, send, standing } from '#test/ports/sample-commit.ts';
import { committedRecord, GLANCE, named, READ } from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

export const COMMIT_CERTAINTY_CASES: Cases<StoreBench> = {
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

    for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'corrupt-item' });
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
};
