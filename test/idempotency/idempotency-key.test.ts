import fc from 'fast-check';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { parseIdempotencyKey, parseIdempotencyKeyHeader } from '#idempotency/idempotency-key.ts';

const MINTED = Date.UTC(2026, 4, 17, 8, 30, 0, 123);

describe('an idempotency key', () => {
  it('is time-stamped when it is a whole UUIDv7, and carries the moment it was minted', () => {
    const uuid = v7({ msecs: MINTED });

    expect(parseIdempotencyKey(uuid)).toEqual({
      kind: 'time-stamped',
      value: uuid,
      mintedAtMs: MINTED,
    });
  });

  it('is one key in upper and lower case when it is a UUIDv7', () => {
    const uuid = v7({ msecs: MINTED });

    expect(parseIdempotencyKey(uuid.toUpperCase())).toEqual(parseIdempotencyKey(uuid));
  });

  it.each([
    ['a UUIDv4', 'a3bb189e-8bf9-4f64-9f27-2a3d8e1a2b3c'],
    ['a prefixed UUIDv7', `order-${v7({ msecs: MINTED })}`],
    ['a UUIDv7 of another variant', '01890a5d-ac96-774b-cfcd-d3f0e0d4c9d4'],
    ['a word', 'export-intent-7'],
  ])('is opaque and case-sensitive when it is %s', (_, key) => {
    expect(parseIdempotencyKey(key)).toEqual({ kind: 'opaque', value: key });
    expect(parseIdempotencyKey(key.toUpperCase())).toMatchObject({ value: key.toUpperCase() });
  });

  it('takes 255 characters and refuses 256', () => {
    expect(parseIdempotencyKey('k'.repeat(255))).toBeDefined();
    expect(parseIdempotencyKey('k'.repeat(256))).toBeUndefined();
  });

  it.each([
    '.',
    '..',
    '',
    ' ',
    'a b',
    'a,b',
    'a/b',
    'a%20b',
    '"a"',
    'ä',
    'a\n',
    '\u0000',
    'a;b',
    'a+b',
  ])('refuses %j', (text) => {
    expect(parseIdempotencyKey(text)).toBeUndefined();
  });

  it.each(['...', '.a', 'a.', '~', ':', '-', '_', '0'])('takes %j', (text) => {
    expect(parseIdempotencyKey(text)).toBeDefined();
  });

  it('is the same bare and as a structured-field string, with space around it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_~:-]{1,40}$/), (key) => {
        const bare = parseIdempotencyKeyHeader(key);

        expect(parseIdempotencyKeyHeader(`"${key}"`)).toEqual(bare);
        expect(parseIdempotencyKeyHeader(` \t"${key}" `)).toEqual(bare);
        expect(bare).toBeDefined();
      }),
    );
  });

  it('is nothing at all, or a key that reads back as itself, whatever the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (header) => {
        const key = parseIdempotencyKeyHeader(header);

        if (key) expect(parseIdempotencyKey(key.value)).toEqual(key);
      }),
    );
  });
});
