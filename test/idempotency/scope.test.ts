import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimKeyOf, ownerOf } from '#export-jobs/create-port.ts';
import { hashOfParts, operationName, recordKeyOf } from '#idempotency/scope.ts';

const CREATE = operationName('create-export-job');
const ROTATE = operationName('rotate-webhook-secret');
const alice = { issuer: 'https://issuer', subject: 'alice' };

describe('the scope of a key', () => {
  it.each([
    ['a#b + c against a + b#c', ['a#b', 'c'], ['a', 'b#c']],
    ['a:b + c against a + b:c', ['a:b', 'c'], ['a', 'b:c']],
    ['a length as text', ['1:a', ''], ['', '1:a']],
    ['an empty part', ['', 'ab'], ['ab', '']],
    ['parts run together', ['ab', 'c'], ['a', 'bc']],
    ['one part more', ['a', 'b'], ['a', 'b', '']],
  ])('keeps parts apart: %s', (_, a, b) => {
    expect(hashOfParts(a)).not.toBe(hashOfParts(b));
  });

  it('is injective: different parts never meet', () => {
    const part = fc.string({ unit: 'binary', maxLength: 12 });
    const parts = fc.array(fc.oneof(part, fc.constantFrom('1:', ':', '2:a', '#')), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const well = (list: string[]) => JSON.stringify(list.map((text) => text.toWellFormed()));

        expect(hashOfParts(a) === hashOfParts(b)).toBe(well(a) === well(b));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is another for another principal, issuer, operation or key', () => {
    const keys = [
      recordKeyOf(alice, CREATE, 'k'),
      recordKeyOf({ ...alice, subject: 'bob' }, CREATE, 'k'),
      recordKeyOf({ ...alice, issuer: 'https://other' }, CREATE, 'k'),
      recordKeyOf(alice, ROTATE, 'k'),
      recordKeyOf(alice, CREATE, 'K'),
      ownerOf(alice),
      claimKeyOf(alice, 'k'),
    ];

    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
  });
});
