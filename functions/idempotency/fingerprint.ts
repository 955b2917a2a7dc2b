// "The same parameters" means: the same RFC 8785 canonical JSON of the body as sent.
// Member order, white space and escapes are not part of it; array order is.
// Must never: take a value that has no canonical form (lone surrogates), or write a version nobody can read.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The version written. A new one is readable for one release before it is written. */
export const FINGERPRINT_VERSION = 'v1';
const READABLE_VERSIONS: readonly string[] = [FINGERPRINT_VERSION];

/** Bytes of a member's digest: enough to tell members apart in an answer, not to prove a value. */
const MEMBER_DIGEST_BYTES = 6;
/** Members that get a digest of their own; a record stays under 1 KB. */
const MEMBERS_MAX = 8;

export type Fingerprint = {
  /** `v1:` and base64url SHA-256. */
  readonly whole: string;
  /** A short digest per top-level member, so that a mismatch can name members without keeping values. */
  readonly members: Readonly<Record<string, string>>;
};

export type FingerprintComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly members: readonly string[] }
  | { readonly kind: 'unknown-version' };

/**
 * @param body the parsed JSON body as sent
 * @param salt binds the digests to one record, so that equal values of two callers do not look alike
 * @returns undefined when the body has no canonical form (lone surrogates)
 */
export function fingerprintOf(body: unknown, salt: string): Fingerprint | undefined {
  const canonical = canonicalJson(body);
  if (canonical === undefined) return undefined;
  const members: [string, string][] = [];
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    for (const name of Object.keys(body).sort().slice(0, MEMBERS_MAX)) {
      const value = canonicalJson((body as Record<string, unknown>)[name]) ?? '';
      members.push([
        name,
        sha256(`${salt}:${name.length}:${name}:${value}`)
          .subarray(0, MEMBER_DIGEST_BYTES)
          .toString('base64url'),
      ]);
    }
  }
  return {
    whole: `${FINGERPRINT_VERSION}:${sha256(canonical).toString('base64url')}`,
    members: Object.fromEntries(members),
  };
}

/** Compares a stored fingerprint with that of the body at hand. */
export function compareFingerprints(stored: Fingerprint, sent: Fingerprint): FingerprintComparison {
  const version = stored.whole.slice(0, stored.whole.indexOf(':'));
  if (!READABLE_VERSIONS.includes(version)) return { kind: 'unknown-version' };
  if (stored.whole === sent.whole) return { kind: 'same' };
  const names = new Set([...Object.keys(stored.members), ...Object.keys(sent.members)]);
  const members = [...names].filter((name) => stored.members[name] !== sent.members[name]).sort();
  return { kind: 'different', members };
}

function canonicalJson(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined; // RFC 8785 has no form for lone surrogates; such a body was never accepted
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
