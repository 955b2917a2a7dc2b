// A time-stamped idempotency key: UUIDv7 (RFC 9562, 5.7), 48 bits of time and 74 random bits.
// The service counts the key's retention from the time in it.

/**
 * @param epochMs when the intent was minted
 * @param random 10 random bytes
 */
export function uuidV7(epochMs: number, random: Uint8Array): string {
  const time = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0').slice(-12);
  const tail = Array.from(random.subarray(0, 10), (byte, place) => {
    const marked = place === 0 ? (byte & 0x0f) | 0x70 : place === 2 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  const hex = time + tail;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}
