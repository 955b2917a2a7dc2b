// An idempotency key names an intent. A whole UUIDv7 is time-stamped: its 48-bit time is the moment
// the intent was minted, and retention is counted from there. Every other key is opaque.
// Must never: guess at a malformed key, or let two spellings of one UUID be two keys.

import { type EpochMs, epochMs } from '#idempotency/epoch.ts';

/** Characters of a key. */
const KEY_CHARACTERS_MAX = 255;

/**
 * The grammar of keys up to a length: `[A-Za-z0-9._~:-]` without `.` and `..`, which no URL could name. As
 * three alternatives by the first dots, not by look-around: it is published, and linear-time engines (RE2 of
 * Go, Rust) have none.
 */
export function keyPatternUpTo(charactersMax: number): RegExp {
  const [noDot, any] = ['[A-Za-z0-9_~:-]', '[A-Za-z0-9._~:-]'];
  const alternatives = [
    `${noDot}${any}{0,${charactersMax - 1}}`,
    `\\.${noDot}${any}{0,${charactersMax - 2}}`,
    `\\.\\.${any}{1,${charactersMax - 2}}`,
  ];
  return new RegExp(`^(?:${alternatives.join('|')})$`);
}

export const IDEMPOTENCY_KEY_PATTERN = keyPatternUpTo(KEY_CHARACTERS_MAX);

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export type IdempotencyKey =
  | { readonly kind: 'time-stamped'; readonly value: string; readonly mintedAtMs: EpochMs }
  | { readonly kind: 'opaque'; readonly value: string };

/**
 * Reads a bare key, as in a path, a query or JSON.
 * @returns undefined when it is outside the grammar
 */
export function parseIdempotencyKey(text: string): IdempotencyKey | undefined {
  if (!IDEMPOTENCY_KEY_PATTERN.test(text)) return undefined;
  if (!UUID_V7.test(text)) return { kind: 'opaque', value: text };
  const value = text.toLowerCase();
  return { kind: 'time-stamped', value, mintedAtMs: mintedAtMs(value) };
}

/**
 * Reads the `Idempotency-Key` header: a structured-field string (RFC 9651, 3.3.3) or the key bare.
 * Two header lines arrive joined by a comma, which is outside the grammar.
 * @returns undefined when it is outside the grammar
 */
export function parseIdempotencyKeyHeader(header: string): IdempotencyKey | undefined {
  const text = header.replace(/^[ \t]+|[ \t]+$/g, '');
  const quoted = /^"([^"\\]*)"$/.exec(text);
  return parseIdempotencyKey(quoted?.[1] ?? text);
}

/** The time in a UUIDv7: its first 48 bits, milliseconds since the epoch (RFC 9562, 5.7). */
export function mintedAtMs(uuid: string): EpochMs {
  return epochMs(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}
