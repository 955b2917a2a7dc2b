// Minted keys are what the service calls time-stamped.

import fc from 'fast-check';
import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { KEY_PATTERN } from '#client/idempotency-key.ts';
import { uuidV7 } from '#client/uuid-v7.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '#contract/grammar.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';

it('a minted key is a UUIDv7 that carries its millisecond', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 48 - 1 }),
      fc.uint8Array({ minLength: 10, maxLength: 10 }),
      (epochMs, random) => {
        const key = uuidV7(epochMs, random);
        expect(validate(key) && version(key)).toBe(7);
        expect(parseIdempotencyKey(key)).toMatchObject({
          kind: 'time-stamped',
          mintedAtMs: epochMs,
        });
      },
    ),
  );
});

it('every random bit changes the key', () => {
  const none = uuidV7(1, new Uint8Array(10));
  const withOne = Array.from({ length: 80 }, (_, bit) => {
    const random = new Uint8Array(10);
    random[bit >> 3] = 1 << (bit & 7);
    return uuidV7(1, random);
  });

  // 80 bits come in; the version takes four of them, the variant two.
  expect(new Set(withOne.filter((key) => key !== none)).size).toBe(74);
});

it("the client's grammar of keys is the service's", () => {
  expect(KEY_PATTERN.source).toBe(IDEMPOTENCY_KEY_PATTERN.source);
  expect(KEY_PATTERN.flags).toBe(IDEMPOTENCY_KEY_PATTERN.flags);
});
