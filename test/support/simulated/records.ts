// The records of the simulated store: read, and put or renewed as abandoned.

import type {
  AbandonPort,
  PutAbandonedResult,
  ReadResult,
  RecordReader,
} from '#idempotency/commit-port.ts';
import type { AbandonedRecord, IdempotencyRecord } from '#idempotency/record.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import type { StoredRecord } from '#test/support/simulated/tables.ts';

type Parts = Pick<SimulatedStore, 'tables' | 'travel' | 'ttlLagMs'>;

export function simulatedReader({ tables, travel }: Parts): RecordReader {
  return {
    readRecord: (recordKey, options) =>
      travel.get(options, () => tables.records.get(recordKey)?.record),
  };
}

export function simulatedRecords(parts: Parts): AbandonPort {
  const { tables, travel } = parts;
  return {
    ...simulatedReader(parts),

    putAbandoned: (record, options) =>
      travel.write<PutAbandonedResult>(options, ({ standing }) => {
        const stands = tables.records.get(record.recordKey)?.record;
        if (stands) return refused(standing(stands), record);
        tables.records.set(record.recordKey, storedRecord(record, options.token, parts));
        return { kind: 'committed' };
      }),

    renewAbandoned: (record, previous, options) =>
      travel.write<PutAbandonedResult>(options, ({ standing }) => {
        const stands = tables.records.get(record.recordKey)?.record;
        if (stands?.state !== 'abandoned' || stands.attemptId !== previous.attemptId) {
          return refused(standing(stands), record);
        }
        const renewed = { ...record, committedAtMs: stands.committedAtMs };
        tables.records.set(record.recordKey, storedRecord(renewed, options.token, parts));
        return { kind: 'committed' };
      }),
  };
}

export function storedRecord(
  record: IdempotencyRecord,
  token: string,
  { ttlLagMs }: Pick<Parts, 'ttlLagMs'>,
): StoredRecord {
  return { record, token, goneAtMs: record.purgeAtSeconds * 1000 + ttlLagMs() };
}

function refused(
  standing: ReadResult<IdempotencyRecord>,
  mine: AbandonedRecord,
): PutAbandonedResult {
  if (standing.kind !== 'found') return { kind: 'unknown', why: 'simulated' };
  const record = standing.value;
  return record.attemptId === mine.attemptId
    ? { kind: 'committed' }
    : { kind: 'record-exists', record };
}
