// The grammar of keys and IDs that go into headers and paths, checked before anything is sent.
// A test compares the patterns with the service's own.

import { StoppedError } from '#client/errors.ts';

export const KEY_PATTERN =
  /^(?:[A-Za-z0-9_~:-][A-Za-z0-9._~:-]{0,254}|\.[A-Za-z0-9_~:-][A-Za-z0-9._~:-]{0,253}|\.\.[A-Za-z0-9._~:-]{1,253})$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * The key as the service writes it: a UUIDv7 is lower-cased, every other key is left as it is.
 * @throws StoppedError argument-invalid
 */
export function checkedKey(key: string): string {
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) {
    throw new StoppedError(
      'argument-invalid',
      'An idempotency key is 1 to 255 characters of A-Z a-z 0-9 . _ ~ : - and neither "." nor "..".',
    );
  }
  return isTimeStamped(key) ? key.toLowerCase() : key;
}

/** A whole UUIDv7: the service takes its time as the moment the intent was minted. */
export function isTimeStamped(key: string): boolean {
  return UUID_V7.test(key);
}

/**
 * A path segment. IDs of jobs and articles have the grammar of keys, so nothing is escaped.
 * @throws StoppedError argument-invalid
 */
export function checkedId(id: string, what: string): string {
  if (typeof id === 'string' && KEY_PATTERN.test(id)) return id;
  throw new StoppedError('argument-invalid', `This is no ID of ${what}.`);
}
