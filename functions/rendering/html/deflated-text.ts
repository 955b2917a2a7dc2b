// Text that must wait, at about a third of its size. The fastest level: it is written once and read once.

import { deflateRawSync, inflateRawSync } from 'node:zlib';

const FASTEST = 1;

export function deflatedText(text: string): Buffer {
  return deflateRawSync(text, { level: FASTEST });
}

/** The text again, as UTF-8. */
export function inflatedBytes(deflated: Buffer): Uint8Array {
  return inflateRawSync(deflated);
}
