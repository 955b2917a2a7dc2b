// Every pattern that is published compiles in a linear-time engine (RE2, as in Go; Rust's is alike), means
// the same there, and refuses what the service refuses.

import fc from 'fast-check';
import { RE2JS } from 're2js';
import { beforeAll, describe, expect, it } from 'vitest';
import { ARTICLE_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN } from '#contract/grammar.ts';
import { startService } from '#test/support/service.ts';

/** By where it stands. */
const published = new Map<string, string>();
beforeAll(async () => {
  const service = await startService();
  const document = (await service.call('GET /openapi.json')).body;
  const capabilities = (await service.call('GET /v1/capabilities')).body;
  service.close();
  collect(document, '#');
  published.set('keyPattern', capabilities.idempotency.keyPattern);
});

function collect(node: unknown, at: string): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'pattern' && typeof value === 'string') published.set(at, value);
    else collect(value, `${at}/${name}`);
  }
}

describe('every published pattern', () => {
  it('compiles in a linear-time engine', () => {
    expect(published.size).toBeGreaterThan(20);
    for (const [at, pattern] of published) {
      expect(() => RE2JS.compile(pattern), `${at}: ${pattern}`).not.toThrow();
    }
  });

  it('leans on nothing that engines read in different ways', () => {
    for (const [at, pattern] of published) {
      // `\\d`, `\\w`, `\\s` and `\\b` are ASCII in some engines and Unicode in others.
      expect(pattern, at).not.toMatch(/\\[dwsb]/i);
      expect(pattern, at).not.toMatch(/\(\?(?!:)/);
    }
  });

  it('takes and refuses the same there', () => {
    const text = fc.string({ unit: fc.constantFrom(...'.-_~:aZ09"PT ,%é\n'), maxLength: 40 });
    for (const pattern of new Set(published.values())) {
      const [ours, linear] = [new RegExp(pattern), RE2JS.compile(pattern)];
      fc.assert(
        fc.property(text, (sample) => {
          expect(linear.matcher(sample).find(), `${pattern} ${sample}`).toBe(ours.test(sample));
        }),
      );
    }
  });
});

describe.each([
  ['a key', IDEMPOTENCY_KEY_PATTERN, 255],
  ['an article ID', ARTICLE_ID_PATTERN, 128],
])('the grammar of %s', (_, pattern, charactersMax) => {
  it.each(['', '.', '..', 'a b', 'a,b', '"a"', 'ä', 'a/b', 'a\n', '.\n'])('refuses %j', (text) => {
    expect(pattern.test(text)).toBe(false);
  });

  it.each(['a', '.a', '..a', '...', 'a.', 'a..', '-', '~', ':', '.-.'])('takes %j', (text) => {
    expect(pattern.test(text)).toBe(true);
  });

  it.each(['', '.', '..'])('ends at its length, also behind %j', (dots) => {
    for (const filler of ['a', '.']) {
      expect(pattern.test(dots.padEnd(charactersMax, filler))).toBe(true);
      expect(pattern.test(dots.padEnd(charactersMax + 1, filler))).toBe(false);
    }
  });

  it('is the characters, their number, and neither of the two names of folders', () => {
    const text = fc.string({ unit: fc.constantFrom(...'.-_~:aZ09 /'), maxLength: 6 });
    fc.assert(
      fc.property(text, (sample) => {
        const sound = /^[A-Za-z0-9._~:-]+$/.test(sample) && sample !== '.' && sample !== '..';
        expect(pattern.test(sample)).toBe(sound);
      }),
    );
  });
});
