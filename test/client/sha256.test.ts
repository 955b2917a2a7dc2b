// The portable SHA-256 gives the digests of Node's, however the bytes are cut.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableSha256, sha256 } from '#client/sha256.ts';

const ofNode = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['portable', portableSha256],
  ["this platform's", sha256],
])('the %s SHA-256', (_, make) => {
  // FIPS 180-4: examples of NIST.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('of %j is that of the standard', (text, digest) => {
    const hash = make();

    hash.update(new TextEncoder().encode(text));

    expect(hash.digest()).toBe(digest);
  });

  it('of bytes in pieces is that of the whole', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const hash = make();
        for (const part of parts) hash.update(part);

        expect(hash.digest()).toBe(ofNode(Buffer.concat(parts)));
      }),
    );
  });

  it.each([55, 56, 63, 64, 119, 120])('of %d bytes ends its last block rightly', (length) => {
    const bytes = new Uint8Array(length).fill(0xa5);
    const hash = make();

    hash.update(bytes);

    expect(hash.digest()).toBe(ofNode(bytes));
  });

  it('of a view into a larger buffer is that of the view', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, place) => place).subarray(7, 200);
    const hash = make();

    hash.update(bytes);

    expect(hash.digest()).toBe(ofNode(bytes));
  });
});

it('two hashes that run at once do not mix', () => {
  const [one, other] = [portableSha256(), portableSha256()];

  for (let part = 0; part < 5; part += 1) {
    one.update(new Uint8Array(100).fill(1));
    other.update(new Uint8Array(100).fill(2));
  }

  expect([one.digest(), other.digest()]).toEqual([1, 2].map((n) => ofNode(Buffer.alloc(500, n))));
});

it('the length goes into the digest beyond 32 bits of it', () => {
  const part = new Uint8Array(1 << 20);
  const hash = portableSha256();
  const nodes = createHash('sha256');

  // 513 MiB are more than 2^32 bits.
  for (let count = 0; count < 513; count += 1) {
    hash.update(part);
    nodes.update(part);
  }

  expect(hash.digest()).toBe(nodes.digest('hex'));
}, 60_000);
