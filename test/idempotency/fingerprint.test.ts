import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFingerprints, type Fingerprint, fingerprintOf } from '#idempotency/fingerprint.ts';

const SALT = 'record';
const of = (json: string): Fingerprint => {
  const fingerprint = fingerprintOf(JSON.parse(json), SALT);
  if (!fingerprint) throw new Error('no canonical form');
  return fingerprint;
};
const compare = (a: string, b: string) => compareFingerprints(of(a), of(b));

describe('a fingerprint', () => {
  it('stays as it was for a body of an earlier release', () => {
    const { whole } = of('{"articleIds":["a-1","a-2"],"format":"text"}');

    // SHA-256 of that very text, which is its own canonical form.
    expect(whole).toBe('v1:6Ro0zse8eG9mYk20CGYYu_ePbRyvWg8GYV0FJKCWHTI');
  });

  it.each([
    ['member order', '{"a":1,"b":[2,3]}', '{"b":[2,3],"a":1}'],
    ['white space', '{"a":1}', ' {\n"a" : 1 } '],
    ['escapes', '{"a":"é/"}', '{"\\u0061":"\\u00e9\\/"}'],
    ['the form of a number', '{"a":100}', '{"a":1e2}'],
  ])('does not change with %s', (_, a, b) => {
    expect(compare(a, b)).toEqual({ kind: 'same' });
  });

  it.each([
    ['array order', '{"a":[1,2]}', '{"a":[2,1]}', ['a']],
    [
      'a case-only difference of a member name',
      '{"title":"x"}',
      '{"Title":"x"}',
      ['Title', 'title'],
    ],
    ['a number sent as a string', '{"a":9007199254740993}', '{"a":"9007199254740993"}', ['a']],
    ['a member added', '{"a":1}', '{"a":1,"b":null}', ['b']],
    ['null against absent', '{"a":null}', '{}', ['a']],
    ['falsy values', '{"a":0,"b":""}', '{"a":false,"b":null}', ['a', 'b']],
    ['NFC against NFD', '{"a":"\\u00e9"}', '{"a":"e\\u0301"}', ['a']],
    ['__proto__ as a member', '{"a":1}', '{"a":1,"__proto__":{"x":1}}', ['__proto__']],
    ['a nested __proto__', '{"a":{}}', '{"a":{"__proto__":1}}', ['a']],
  ])('changes with %s, and names the members', (_, a, b, members) => {
    expect(compare(a, b)).toEqual({ kind: 'different', members });
  });

  it('cannot tell numbers apart that JSON itself rounds to one', () => {
    expect(compare('{"a":9007199254740993}', '{"a":9007199254740992}')).toEqual({ kind: 'same' });
  });

  it('is a version and a hash; digests of members show no value', () => {
    const fingerprint = of('{"title":"secret"}');

    expect(fingerprint.whole).toMatch(/^v1:[\w-]{43}$/);
    expect(JSON.stringify(fingerprint)).not.toContain('secret');
    expect(fingerprintOf({ title: 'secret' }, 'other record')?.members).not.toEqual(
      fingerprint.members,
    );
  });

  it('has no form for a lone surrogate, and one for nesting as deep as a body can be', () => {
    expect(fingerprintOf({ a: '\ud800' }, SALT)).toBeUndefined();
    expect(of(`${'['.repeat(51_000)}${']'.repeat(51_000)}`).whole).toMatch(/^v1:/);
  });

  it('of a version that this release cannot read is neither same nor different', () => {
    const sent = of('{}');

    expect(compareFingerprints({ ...sent, whole: `v2:${sent.whole}` }, sent)).toEqual({
      kind: 'unknown-version',
    });
  });

  it('is the same exactly for the same JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const left = fingerprintOf(JSON.parse(JSON.stringify(a)), SALT);
        const right = fingerprintOf(JSON.parse(JSON.stringify(b)), SALT);
        if (!left || !right) return;
        const same = canonical(a) === canonical(b);

        expect(left.whole === right.whole).toBe(same);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Another way to a canonical text: sorted by a replacer, numbers as JSON prints them. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(
          Object.entries(each)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [`.${k}`, v]),
        )
      : each,
  );
}
