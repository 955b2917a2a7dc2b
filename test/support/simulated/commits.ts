// Commit-once on the simulated store, for any effect: record, effect and claim, or nothing.

import type { CommitPort, CommitResult } from '#idempotency/commit-port.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { simulatedReader, storedRecord } from '#test/support/simulated/records.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';

/** What an operation makes, beside its record. */
export type Making<Effect> = {
  /** Stores it, when the record is stored. */
  readonly make: (effect: Effect, record: CommittedRecord, atMs: number) => void;
  readonly claimKeyOf: (effect: Effect) => string | undefined;
};

const RECORD_BYTES_MAX = 1024;
const LIFE_MS_MAX = 366 * 24 * 3_600_000;

export function simulatedCommits<Effect>(
  parts: Pick<SimulatedStore, 'tables' | 'travel' | 'ttlLagMs'>,
  { make, claimKeyOf }: Making<Effect>,
): CommitPort<Effect> {
  const { tables, travel } = parts;
  return {
    ...simulatedReader(parts),

    prepare(given, effect) {
      assertFits(given);
      const record = structuredClone(given);
      const { recordKey, resourceId, committedAtMs: createdAtMs } = record;
      const claimKey = claimKeyOf(effect);
      return {
        send: (options) =>
          travel.write<CommitResult>(options, ({ atMs, standing }) => {
            const stored = tables.records.get(recordKey);
            if (stored?.token === options.token) return { kind: 'committed' };
            if (stored) {
              const stands = standing(stored.record);
              return stands.kind === 'found'
                ? { kind: 'record-exists', record: stands.value }
                : { kind: 'unknown', why: 'simulated' };
            }
            const taken = claimKey === undefined ? undefined : tables.claims.get(claimKey);
            if (taken) {
              const stands = standing(taken);
              return stands.kind === 'found'
                ? { kind: 'claim-taken', claim: stands.value }
                : { kind: 'unknown', why: 'simulated' };
            }
            tables.records.set(recordKey, storedRecord(record, options.token, parts));
            if (claimKey !== undefined) {
              tables.claims.set(claimKey, { recordKey, resourceId, createdAtMs });
            }
            make(effect, record, atMs);
            return { kind: 'committed' };
          }),
      };
    },

    async readClaim(effect, options) {
      const claimKey = claimKeyOf(effect);
      if (claimKey === undefined) return { kind: 'none' };
      return travel.get(options, () => tables.claims.get(claimKey));
    },
  };
}

/** @throws on what no store would hold */
function assertFits(record: CommittedRecord): void {
  const { receipt, purgeAtSeconds, committedAtMs, expiresAtMs, ...rest } = record;
  const bytes = receipt.byteLength + Buffer.byteLength(JSON.stringify(rest));
  if (bytes > RECORD_BYTES_MAX) throw new RangeError(`a record of ${bytes} bytes`);
  const lifeMs = purgeAtSeconds * 1000 - Math.max(committedAtMs, expiresAtMs);
  if (lifeMs <= 0 || lifeMs > LIFE_MS_MAX) throw new RangeError(`purged at ${purgeAtSeconds} s`);
}
