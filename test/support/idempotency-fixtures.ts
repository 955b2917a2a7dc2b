// Instants, keys and a policy for tests of the pure rules. Expected instants are literals.

import { v7 } from 'uuid';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import { type IdempotencyKey, parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';

export const HOUR_MS = 3_600_000;
/** 2026-05-17T08:30:00.123Z */
export const T0 = epochMs(1_779_006_600_123);

export const at = (offsetMs: number): EpochMs => epochMs(T0 + offsetMs);

export function keyMintedAt(mintedAtMs: number): IdempotencyKey {
  return keyOf(v7({ msecs: mintedAtMs }));
}

export function keyOf(text: string): IdempotencyKey {
  const key = parseIdempotencyKey(text);
  if (!key) throw new Error(`not a key: ${text}`);
  return key;
}

/** R 24 h, G 12 h, reserve 15 min. */
export const POLICY: RetentionPolicy = {
  schedule: [
    {
      fromMs: epochMs(0),
      windowMs: 24 * HOUR_MS,
      graceMs: 12 * HOUR_MS,
      window: 'PT24H',
      grace: 'PT12H',
    },
  ],
  reserveMs: HOUR_MS / 4,
  reserve: 'PT15M',
};
