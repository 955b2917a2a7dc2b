// The idempotency record as an item, under 1 KB always: no parameters, no raw key.

import * as z from 'zod';
import { type EpochMs, type EpochSeconds, plusMs } from '#idempotency/epoch.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import { fromItem, type Item, itemBytes } from '#store/item.ts';
import { StoreFault } from '#store/store-fault.ts';

/** One write unit. */
const RECORD_ITEM_BYTES_MAX = 1024;
/** TTL ignores instants more than five years past; a year ahead of expiry is no grace of ours. */
const PURGE_AFTER_EXPIRY_MS_MAX = 366 * 24 * 3_600_000;

export const epochMsSchema = z
  .int()
  .min(0)
  .transform((value) => value as EpochMs);
/** Above the end of any key's 48-bit time (281,474,976,711 s), below every instant in milliseconds. */
const EPOCH_SECONDS_MAX = 299_999_999_999;
export const epochSecondsSchema = z
  .int()
  .min(0)
  .max(EPOCH_SECONDS_MAX)
  .transform((value) => value as EpochSeconds);

const base = {
  pk: z.string(),
  attemptId: z.string(),
  committedAtMs: epochMsSchema,
  expiresAtMs: epochMsSchema,
  purgeAtSeconds: epochSecondsSchema,
};

const recordItemSchema = z.discriminatedUnion('state', [
  z.object({
    ...base,
    state: z.literal('committed'),
    fingerprint: z.string().regex(/^v\d+:/),
    members: z.record(z.string(), z.string()),
    receipt: z.instanceof(Uint8Array),
    jobId: z.string(),
  }),
  z.object({ ...base, state: z.literal('abandoned') }),
]);

export function recordToItem(record: IdempotencyRecord): Item {
  assertLife(record);
  const { recordKey: pk, attemptId, committedAtMs, expiresAtMs, purgeAtSeconds } = record;
  const common = { pk, state: record.state, attemptId, committedAtMs, expiresAtMs, purgeAtSeconds };
  // What an intent made is a `jobId` in the table, since the first release: named otherwise here alone.
  const item =
    record.state === 'abandoned'
      ? common
      : {
          ...common,
          fingerprint: record.fingerprint.whole,
          members: record.fingerprint.members,
          receipt: record.receipt,
          jobId: record.resourceId,
        };
  const bytes = itemBytes(item);
  if (bytes > RECORD_ITEM_BYTES_MAX) {
    throw new RangeError(`an idempotency record of ${bytes} bytes, over ${RECORD_ITEM_BYTES_MAX}`);
  }
  return item;
}

export function recordFromItem(item: Item): IdempotencyRecord {
  const stored = fromItem(item, recordItemSchema, 'an idempotency record');
  const { pk: recordKey, attemptId, committedAtMs, expiresAtMs, purgeAtSeconds } = stored;
  const common = { recordKey, attemptId, committedAtMs, expiresAtMs, purgeAtSeconds };
  if (stored.state === 'abandoned') return { ...common, state: 'abandoned' };
  return {
    ...common,
    state: 'committed',
    fingerprint: { whole: stored.fingerprint, members: stored.members },
    receipt: stored.receipt,
    resourceId: stored.jobId,
  };
}

/** Seconds against milliseconds would make a record that never goes, or one that TTL ignores. */
function assertLife({ committedAtMs, expiresAtMs, purgeAtSeconds }: IdempotencyRecord): void {
  const purgeAtMs = purgeAtSeconds * 1000;
  const latestMs = Math.max(expiresAtMs, committedAtMs);
  const sound =
    Number.isInteger(purgeAtSeconds) &&
    purgeAtMs > latestMs &&
    purgeAtMs <= plusMs(latestMs as EpochMs, PURGE_AFTER_EXPIRY_MS_MAX);
  if (!sound) {
    throw new StoreFault(
      'corrupt-item',
      `purgeAtSeconds ${purgeAtSeconds} does not fit ${latestMs}`,
    );
  }
}
