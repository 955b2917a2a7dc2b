// When a key is admitted, when its record expires and when it may be purged.
// A time-stamped key is admitted only while now < minted + R, and its record outlives that instant by G:
// however late an attempt arrives, it never makes a second resource.

import {
  type EpochMs,
  type EpochSeconds,
  epochSecondsCeil,
  laterOf,
  plusMs,
} from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { entryInForce, type RetentionPolicy } from '#idempotency/retention-schedule.ts';

/** How far in the future a time-stamped key may be minted, milliseconds: callers' clocks differ. */
export const KEY_IN_FUTURE_MS_MAX = 5 * 60_000;

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'in-future'; readonly admissibleFromMs: EpochMs }
  | { readonly kind: 'too-old' };

export type RecordLife = {
  /** A record is live while now < expires. The same instant on every answer. */
  readonly expiresAtMs: EpochMs;
  /** DynamoDB's TTL attribute: a whole second, never before max(expires, now) + G. */
  readonly purgeAtSeconds: EpochSeconds;
};

/** The three instants a 404 of a look-up speaks of. Opaque keys have none. */
export type KeyHorizon = {
  readonly admissibleUntilMs: EpochMs;
  readonly definitiveFromMs: EpochMs;
  readonly definitiveUntilMs: EpochMs;
};

/** May a new intent be executed under this key at this instant? */
export function admit(key: IdempotencyKey, nowMs: EpochMs, policy: RetentionPolicy): Admission {
  if (key.kind === 'opaque') return { kind: 'admitted' };
  const { mintedAtMs } = key;
  if (isBelowFloor(key, policy)) return { kind: 'too-old' };
  if (nowMs >= plusMs(mintedAtMs, entryInForce(policy, mintedAtMs).windowMs)) {
    return { kind: 'too-old' };
  }
  const admissibleFromMs = plusMs(mintedAtMs, -KEY_IN_FUTURE_MS_MAX);
  if (nowMs < admissibleFromMs) return { kind: 'in-future', admissibleFromMs };
  return { kind: 'admitted' };
}

/**
 * Was this key minted before the floor that operators set after a restore? Its record may have been lost:
 * it is not executed again, and nothing is certain of what it did before.
 */
export function isBelowFloor(key: IdempotencyKey, policy: RetentionPolicy): boolean {
  const { admitNotBeforeMs } = policy;
  return (
    key.kind === 'time-stamped' &&
    admitNotBeforeMs !== undefined &&
    key.mintedAtMs < admitNotBeforeMs
  );
}

/** How long a record written at `nowMs` lives. R starts at the mint, or at the commit for opaque keys. */
export function recordLife(
  key: IdempotencyKey,
  nowMs: EpochMs,
  policy: RetentionPolicy,
): RecordLife {
  const startMs = key.kind === 'time-stamped' ? key.mintedAtMs : nowMs;
  const entry = entryInForce(policy, startMs);
  const expiresAtMs = plusMs(startMs, entry.windowMs);
  return {
    expiresAtMs,
    purgeAtSeconds: epochSecondsCeil(plusMs(laterOf(expiresAtMs, nowMs), entry.graceMs)),
  };
}

/** Live while now < expires. */
export function isExpired(record: { readonly expiresAtMs: EpochMs }, nowMs: EpochMs): boolean {
  return nowMs >= record.expiresAtMs;
}

export function keyHorizon(key: IdempotencyKey, policy: RetentionPolicy): KeyHorizon | undefined {
  if (key.kind === 'opaque') return undefined;
  const { windowMs, graceMs } = entryInForce(policy, key.mintedAtMs);
  const admissibleUntilMs = plusMs(key.mintedAtMs, windowMs);
  return {
    admissibleUntilMs,
    definitiveFromMs: plusMs(admissibleUntilMs, policy.reserveMs),
    definitiveUntilMs: plusMs(admissibleUntilMs, graceMs - policy.reserveMs),
  };
}
