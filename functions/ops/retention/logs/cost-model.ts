// What it costs to keep keys: stored keys, bytes and money a month for a window and a grace. Prices and
// sizes are assumptions with a source and a date; each can be given. DynamoDB's TTL deletes are free, so
// a longer window costs storage and nothing else.

import { pathOf } from '#contract/routes.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { recordLife } from '#idempotency/retention.ts';
import { durationText } from '#ops/retention/output/duration-text.ts';
import { itemBytes } from '#store/item.ts';
import { recordToItem } from '#store/record-item.ts';

const DAY_MS = 86_400_000;
/** AWS bills by the month of 730 hours. */
const MONTH_MS = 730 * 3_600_000;
const BYTES_PER_GB = 1024 ** 3;
/** What DynamoDB adds to each item for its own index (developer guide, "item sizes"). */
const ITEM_OVERHEAD_BYTES = 100;
/** Write units of one kilobyte in a transaction: prepared, then committed. */
const TRANSACTION_UNITS_PER_KB = 2;

export type CostAssumptions = {
  readonly storageUsdPerGbMonth: number;
  /** Point-in-time recovery, which infra/tables.yml turns on: billed by the table's size. */
  readonly recoveryUsdPerGbMonth: number;
  readonly writeUsdPerMillion: number;
  readonly keyBytes: number;
  /** How long TTL takes to remove what is past its purge, milliseconds. */
  readonly purgeLagMs: number;
  /** Where the lag comes from: seen in the logs, given, or assumed. */
  readonly purgeLagIs: 'seen' | 'given' | 'assumed';
};

/** On-demand prices, standard table class, US East (N. Virginia), as published in November 2024. */
export const PRICES = {
  storageUsdPerGbMonth: 0.25,
  recoveryUsdPerGbMonth: 0.2,
  writeUsdPerMillion: 0.625,
} as const;
/** "Within a few days", says the developer guide of TTL; two are taken. */
export const ASSUMED_PURGE_LAG_MS = 2 * DAY_MS;

export type RetentionCost = {
  readonly storedKeys: number;
  /** Of these, past their purge and not yet removed. */
  readonly purgeBacklogKeys: number;
  readonly bytes: number;
  readonly storageUsdPerMonth: number;
  /** Writing the key records: the same for every window. */
  readonly writesUsdPerMonth: number;
};

export function retentionCost(
  keptMs: number,
  keysPerDay: number,
  assumed: CostAssumptions,
): RetentionCost {
  const purgeBacklogKeys = (keysPerDay * assumed.purgeLagMs) / DAY_MS;
  const storedKeys = (keysPerDay * keptMs) / DAY_MS + purgeBacklogKeys;
  const bytes = storedKeys * assumed.keyBytes;
  const unitsPerKey =
    TRANSACTION_UNITS_PER_KB * Math.ceil((assumed.keyBytes - ITEM_OVERHEAD_BYTES) / 1024);
  const perGb = assumed.storageUsdPerGbMonth + assumed.recoveryUsdPerGbMonth;
  return {
    storedKeys: Math.round(storedKeys),
    purgeBacklogKeys: Math.round(purgeBacklogKeys),
    bytes: Math.round(bytes),
    storageUsdPerMonth: (bytes / BYTES_PER_GB) * perGb,
    writesUsdPerMonth:
      ((keysPerDay * MONTH_MS) / DAY_MS) * unitsPerKey * (assumed.writeUsdPerMillion / 1e6),
  };
}

/** One line for each assumption, for the foot of a report. */
export function assumptionLines(assumed: CostAssumptions): string[] {
  return [
    `USD ${assumed.storageUsdPerGbMonth} a GB-month of storage and USD ${assumed.recoveryUsdPerGbMonth} of point-in-time recovery, USD ${assumed.writeUsdPerMillion} a million write units (DynamoDB on demand, standard class, US East (N. Virginia), published November 2024, unless given)`,
    `${assumed.keyBytes} bytes a stored key, with the ${ITEM_OVERHEAD_BYTES} that DynamoDB adds; 2 write units a key; TTL deletes are free`,
    `keys are removed ${durationText(assumed.purgeLagMs)} after their purge time (${assumed.purgeLagIs})`,
  ];
}

/** Bytes of a typical stored key as DynamoDB bills them, measured on the item that the store writes. */
export function measuredKeyBytes(): number {
  return itemBytes(recordToItem(typicalRecord())) + ITEM_OVERHEAD_BYTES;
}

function typicalRecord(): CommittedRecord {
  const key = parseIdempotencyKey('01980000-0000-7000-8000-000000000000');
  const recordKey = 'r'.repeat(43);
  const body = { articleIds: ['a-1'], format: 'epub', title: 'A title', language: 'en' };
  const fingerprint = fingerprintOf(body, recordKey);
  if (key?.kind !== 'time-stamped' || !fingerprint) throw new Error('the sample is a sound one');
  const nowMs = key.mintedAtMs;
  const jobId = '01980000-0000-7000-8000-000000000001';
  const instant = new Date(nowMs).toISOString();
  const receipt = {
    id: jobId,
    status: 'queued',
    createdAt: instant,
    keyExpiresAt: instant,
    links: { self: pathOf('getExportJob', { jobId }) },
  };
  return {
    state: 'committed',
    recordKey,
    attemptId: jobId,
    committedAtMs: nowMs,
    ...recordLife(key, nowMs, SAMPLE_POLICY),
    fingerprint,
    receipt: Buffer.from(JSON.stringify(receipt)),
    resourceId: jobId,
  };
}

const SAMPLE_POLICY = {
  schedule: [
    { fromMs: 0 as EpochMs, windowMs: DAY_MS, graceMs: DAY_MS, window: 'PT24H', grace: 'PT24H' },
  ],
  reserveMs: 900_000,
  reserve: 'PT15M',
} as const;
