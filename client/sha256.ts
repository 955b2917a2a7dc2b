// SHA-256 (FIPS 180-4) of a stream. Node's own where there is one; else the same in plain arithmetic, since
// Web Crypto takes no stream. Must never import a module of Node: bundlers for browsers stop at its name.

export interface Sha256 {
  readonly update: (bytes: Uint8Array) => void;
  /** Lower-case hex. To be asked once, at the end. */
  readonly digest: () => string;
}

export function sha256(): Sha256 {
  return nodeSha256() ?? portableSha256();
}

/** By name at run time, which no bundler follows. Absent before Node 20.16, and in browsers. */
function nodeSha256(): Sha256 | undefined {
  const hash = globalThis.process?.getBuiltinModule?.('node:crypto')?.createHash('sha256');
  return hash && { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}

const BLOCK_BYTES = 64;
/** Where the length in bits begins in the last block. */
const LENGTH_AT = 56;

export function portableSha256(): Sha256 {
  const state = Int32Array.from(INITIAL);
  const block = new Uint8Array(BLOCK_BYTES);
  const words = new DataView(block.buffer);
  let filled = 0;
  let total = 0;

  function update(bytes: Uint8Array): void {
    total += bytes.byteLength;
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - filled);
      block.set(part, filled);
      at += part.byteLength;
      filled += part.byteLength;
      if (filled < BLOCK_BYTES) return;
      compress(state, words);
      filled = 0;
    }
  }

  return {
    update,
    digest() {
      const bits = BigInt(total) * 8n;
      const end = filled < LENGTH_AT ? LENGTH_AT : LENGTH_AT + BLOCK_BYTES;
      const padding = new Uint8Array(end - filled + 8);
      padding[0] = 0x80;
      new DataView(padding.buffer).setBigUint64(padding.length - 8, bits);
      update(padding);
      return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
}

const schedule = new Int32Array(64);

/** FIPS 180-4, 6.2.2. The schedule is one for all: nothing else runs before this returns. */
function compress(state: Int32Array, words: DataView): void {
  for (let t = 0; t < 16; t += 1) schedule[t] = words.getInt32(t * 4);
  for (let t = 16; t < 64; t += 1) {
    const w2 = at(schedule, t - 2);
    const w15 = at(schedule, t - 15);
    const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    schedule[t] = s1 + at(schedule, t - 7) + s0 + at(schedule, t - 16);
  }
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let t = 0; t < 64; t += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const first = (h + s1 + choice + at(ROUND, t) + at(schedule, t)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + s0 + majority) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Int32Array, place: number): number {
  return words[place] ?? 0;
}

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const INITIAL = primes(8).map((prime) => fraction32(Math.sqrt(prime)));
/** The same of the cube roots of the first 64. */
const ROUND = Int32Array.from(primes(64).map((prime) => fraction32(Math.cbrt(prime))));

/** A double holds the 32 bits after a root of at most 7: 35 of its 53. */
function fraction32(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}
