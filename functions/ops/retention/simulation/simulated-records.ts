// The table of key records on a simulated clock: conditional puts, writes that land late and unheard of,
// and TTL that removes a record the moment it may. It knows nothing of schedules; the rule that is played
// over it is idempotency's own.

import type { CommitPort, CommitResult } from '#idempotency/commit-port.ts';
import type { CommittedRecord } from '#idempotency/record.ts';

export type SimulatedRecords = CommitPort<void> & {
  /** Moves true time forward: writes that are due land, records past their purge go. */
  readonly advance: (trueMs: number) => void;
  /** How long the next write is under way, milliseconds; its sender hears nothing when that is not 0. */
  readonly nextLandsAfter: (ms: number) => void;
};

/**
 * @param made told of each record that is stored, at the true time of it
 * @param purgeLagMs how long after its purge time a record is removed; 0 is the worst case
 */
export function simulatedRecords(
  made: (record: CommittedRecord, trueMs: number) => void,
  purgeLagMs = 0,
): SimulatedRecords {
  const records = new Map<string, CommittedRecord>();
  let underway: { readonly dueMs: number; readonly record: CommittedRecord }[] = [];
  let trueMs = 0;
  let landsAfterMs = 0;

  const standing = (recordKey: string, atMs: number) => {
    const record = records.get(recordKey);
    if (record && record.purgeAtSeconds * 1_000 + purgeLagMs > atMs) return record;
    records.delete(recordKey);
    return undefined;
  };
  const put = (record: CommittedRecord, atMs: number): CommitResult => {
    const found = standing(record.recordKey, atMs);
    if (found) return { kind: 'record-exists', record: found };
    records.set(record.recordKey, record);
    made(record, atMs);
    return { kind: 'committed' };
  };
  return {
    nextLandsAfter: (ms) => {
      landsAfterMs = ms;
    },
    advance: (toMs) => {
      trueMs = toMs;
      if (underway.length === 0) return;
      const due = underway.filter(({ dueMs }) => dueMs <= toMs).sort((a, b) => a.dueMs - b.dueMs);
      underway = underway.filter(({ dueMs }) => dueMs > toMs);
      for (const { record, dueMs } of due) put(record, dueMs);
    },
    prepare: (record) => ({
      send: async ({ maySend }) => {
        if (!maySend()) return { kind: 'not-applied', why: 'not-sent' };
        if (landsAfterMs === 0) return put(record, trueMs);
        underway.push({ dueMs: trueMs + landsAfterMs, record });
        return { kind: 'unknown', why: 'the answer was lost' };
      },
    }),
    readRecord: async (recordKey) => {
      const value = standing(recordKey, trueMs);
      return value ? { kind: 'found', value } : { kind: 'none' };
    },
    readClaim: async () => ({ kind: 'none' }),
  };
}
