import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, epochSecondsCeil } from '#idempotency/epoch.ts';
import { admit, isExpired, keyHorizon, recordLife } from '#idempotency/retention.ts';
import { at, HOUR_MS, keyMintedAt, keyOf, POLICY, T0 } from '#test/support/idempotency-fixtures.ts';

const opaque = keyOf('export-intent-7');
const stamped = keyMintedAt(T0);
const FIVE_MIN = 300_000;

describe('admission', () => {
  it('takes an opaque key at any time', () => {
    expect(admit(opaque, epochMs(0), POLICY).kind).toBe('admitted');
    expect(admit(opaque, at(1e12), POLICY).kind).toBe('admitted');
  });

  it('takes a time-stamped key while now < minted + R', () => {
    expect(admit(stamped, at(24 * HOUR_MS - 1), POLICY).kind).toBe('admitted');
    expect(admit(stamped, at(24 * HOUR_MS), POLICY).kind).toBe('too-old');
  });

  it('refuses a key minted more than five minutes ahead, and says from when it is taken', () => {
    expect(admit(stamped, at(-FIVE_MIN), POLICY).kind).toBe('admitted');
    expect(admit(stamped, at(-FIVE_MIN - 1), POLICY)).toEqual({
      kind: 'in-future',
      admissibleFromMs: T0 - FIVE_MIN,
    });
  });

  it('refuses time-stamped keys minted below the floor, and no opaque one', () => {
    const floored = { ...POLICY, admitNotBeforeMs: T0 };

    expect(admit(stamped, at(0), floored).kind).toBe('admitted');
    expect(admit(keyMintedAt(T0 - 1), at(0), floored).kind).toBe('too-old');
    expect(admit(opaque, at(0), floored).kind).toBe('admitted');
  });

  it('judges a key by the entry in force when it was minted, not now', () => {
    const [first] = POLICY.schedule;
    const second = { ...first, fromMs: at(1), windowMs: HOUR_MS, window: 'PT1H' };
    const policy = { ...POLICY, schedule: [first, second] as const };

    expect(admit(keyMintedAt(T0), at(2 * HOUR_MS), policy).kind).toBe('admitted');
    expect(admit(keyMintedAt(T0 + 1), at(2 * HOUR_MS), policy).kind).toBe('too-old');
  });
});

describe('the life of a record', () => {
  it('is counted from the mint for time-stamped keys, from the commit for opaque ones', () => {
    const now = at(HOUR_MS);

    expect(recordLife(stamped, now, POLICY).expiresAtMs).toBe(1_779_093_000_123);
    expect(recordLife(opaque, now, POLICY).expiresAtMs).toBe(1_779_096_600_123);
  });

  it('ends at expires, to the millisecond', () => {
    const record = recordLife(opaque, T0, POLICY);

    expect(isExpired(record, epochMs(record.expiresAtMs - 1))).toBe(false);
    expect(isExpired(record, record.expiresAtMs)).toBe(true);
  });

  it('is purged a grace after it, rounded up to a whole second', () => {
    // 1_779_093_000.123 + 43_200 s, rounded up
    expect(recordLife(stamped, T0, POLICY).purgeAtSeconds).toBe(1_779_136_201);
  });

  it('is purged a grace after now when it is written late', () => {
    const late = at(100 * HOUR_MS);

    expect(recordLife(stamped, late, POLICY).purgeAtSeconds).toBe(
      epochSecondsCeil(at(112 * HOUR_MS)),
    );
  });

  it('never ends before max(expires, now) + G, and never a second after', () => {
    const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(instant, instant, fc.boolean(), (minted, nowMs, timeStamped) => {
        const key = timeStamped ? keyMintedAt(minted) : opaque;
        const now = epochMs(nowMs);
        const { expiresAtMs, purgeAtSeconds } = recordLife(key, now, POLICY);
        const earliest = Math.max(expiresAtMs, now) + 12 * HOUR_MS;

        expect(Number.isInteger(purgeAtSeconds)).toBe(true);
        expect(purgeAtSeconds * 1000).toBeGreaterThanOrEqual(earliest);
        expect(purgeAtSeconds * 1000).toBeLessThan(earliest + 1000);
      }),
    );
  });
});

describe('the horizon of a key', () => {
  it('names until when it is admissible and between which instants a 404 is definitive', () => {
    expect(keyHorizon(stamped, POLICY)).toEqual({
      admissibleUntilMs: T0 + 24 * HOUR_MS,
      definitiveFromMs: T0 + 24.25 * HOUR_MS,
      definitiveUntilMs: T0 + 35.75 * HOUR_MS,
    });
  });

  it('is not there for opaque keys', () => {
    expect(keyHorizon(opaque, POLICY)).toBeUndefined();
  });
});
