// Why fetch failed: did the request provably not leave, or is that unknown? Recognised by the codes of
// Node's sockets and of undici. Must never guess: what is not listed here may have arrived. In a browser
// no reason is told, so every failure is of that kind.

import type { LostReason, UnsentReason } from '#client/outcome.ts';

const UNSENT: Readonly<Record<string, UnsentReason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  // Certificates are judged before the first byte of the request. Codes of OpenSSL's verification.
  CERT_HAS_EXPIRED: 'tls',
  CERT_NOT_YET_VALID: 'tls',
  CERT_REVOKED: 'tls',
  CERT_REJECTED: 'tls',
  CERT_UNTRUSTED: 'tls',
  CERT_SIGNATURE_FAILURE: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  INVALID_CA: 'tls',
  INVALID_PURPOSE: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls',
  // Refused while the request is made up, before there is a connection: undici's, and Node's http.
  UND_ERR_INVALID_ARG: 'unsendable',
  ERR_INVALID_CHAR: 'unsendable',
  ERR_INVALID_HTTP_TOKEN: 'unsendable',
  ERR_INVALID_URL: 'unsendable',
};
/** Codes that also stand for a broken connection later on: only on `connect` do they prove anything. */
const UNSENT_ON_CONNECT: Readonly<Record<string, UnsentReason>> = {
  ETIMEDOUT: 'connect-timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
};
/** Node says this only while the TLS handshake has not ended. */
const HANDSHAKE_BROKEN = 'before secure TLS connection was established';
/** undici's whole message for a port that the Fetch standard blocks. */
const PORT_BLOCKED = 'bad port';

export type FetchFailure =
  | { readonly kind: 'unsent'; readonly why: UnsentReason }
  | { readonly kind: 'lost'; readonly why: LostReason };

/** @param error what `fetch` rejected with */
export function fetchFailure(error: unknown): FetchFailure {
  const causes = causesOf(error);
  const reasons = causes.map(unsentReason);
  const [why] = reasons;
  // Several addresses were tried: unsent only if it is so of each of them.
  if (why !== undefined && reasons.every((reason) => reason !== undefined)) {
    return { kind: 'unsent', why };
  }
  const codes = causes.map(codeOf);
  const isReset = codes.some((code) => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code));
  return { kind: 'lost', why: isReset ? 'reset' : 'network' };
}

/** fetch wraps the socket's error in a TypeError, and the errors of several addresses in an aggregate. */
function causesOf(error: unknown): unknown[] {
  const cause = memberOf(error, 'cause') ?? error;
  const errors = memberOf(cause, 'errors');
  return Array.isArray(errors) && errors.length > 0 ? errors : [cause];
}

function unsentReason(cause: unknown): UnsentReason | undefined {
  const code = codeOf(cause);
  if (Object.hasOwn(UNSENT_ON_CONNECT, code)) {
    return memberOf(cause, 'syscall') === 'connect' ? UNSENT_ON_CONNECT[code] : undefined;
  }
  if (Object.hasOwn(UNSENT, code)) return UNSENT[code];
  const message = memberOf(cause, 'message');
  if (message === PORT_BLOCKED) return 'unsendable';
  return typeof message === 'string' && message.includes(HANDSHAKE_BROKEN)
    ? 'unreachable'
    : undefined;
}

function codeOf(error: unknown): string {
  const code = memberOf(error, 'code');
  return typeof code === 'string' ? code : '';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
