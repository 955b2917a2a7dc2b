// A store on a simulated clock, for properties over time: conditional puts, TTL deletion at any allowed
// moment, writes that land late. It knows only what the port promises.

import type { CommitPort, CommitResult, SendOptions } from '#idempotency/commit-port.ts';
import type { CommittedRecord, IdempotencyRecord } from '#idempotency/record.ts';

export type Landing = {
  /** Milliseconds of true time from the send until the write reaches the store. */
  readonly afterMs: number;
  /** Does the sender hear of it? */
  readonly heard: boolean;
};

export type SimulatedStore = CommitPort<void> & {
  /** Resources made, in the order in which they were committed. */
  readonly made: readonly { readonly recordKey: string; readonly atMs: number }[];
  /** Lets every write land that is due by now. */
  readonly settle: () => void;
  readonly records: ReadonlyMap<string, IdempotencyRecord>;
};

/**
 * @param trueNowMs the one true clock
 * @param landing how the next write travels
 * @param ttlLagMs how long TTL takes to remove a record that is past its purge time
 */
export function simulatedStore(
  trueNowMs: () => number,
  landing: () => Landing,
  ttlLagMs: () => number,
): SimulatedStore {
  const records = new Map<string, IdempotencyRecord>();
  const removals = new Map<string, number>();
  const made: { recordKey: string; atMs: number }[] = [];
  let underway: { dueMs: number; record: CommittedRecord }[] = [];

  const removeDue = (atMs: number) => {
    for (const [recordKey, dueMs] of removals) {
      if (dueMs > atMs) continue;
      records.delete(recordKey);
      removals.delete(recordKey);
    }
  };
  const apply = (record: CommittedRecord, atMs: number): CommitResult => {
    removeDue(atMs);
    const standing = records.get(record.recordKey);
    if (standing) return { kind: 'record-exists', record: standing };
    records.set(record.recordKey, record);
    removals.set(record.recordKey, record.purgeAtSeconds * 1000 + ttlLagMs());
    made.push({ recordKey: record.recordKey, atMs });
    return { kind: 'committed' };
  };
  const settle = () => {
    const nowMs = trueNowMs();
    const due = underway.filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
    underway = underway.filter(({ dueMs }) => dueMs > nowMs);
    for (const { dueMs, record } of due) apply(record, dueMs);
    removeDue(nowMs);
  };

  return {
    made,
    records,
    settle,
    prepare: (record) => ({
      async send({ maySend }: SendOptions): Promise<CommitResult> {
        settle();
        if (!maySend()) return { kind: 'not-applied', why: 'not-sent' };
        const { afterMs, heard } = landing();
        if (heard && afterMs === 0) return apply(record, trueNowMs());
        underway.push({ dueMs: trueNowMs() + afterMs, record });
        settle();
        return { kind: 'unknown', why: 'simulated' };
      },
    }),
    async readRecord(recordKey) {
      settle();
      const record = records.get(recordKey);
      return record ? { kind: 'found', value: record } : { kind: 'none' };
    },
    readClaim: async () => ({ kind: 'none' }),
  };
}
