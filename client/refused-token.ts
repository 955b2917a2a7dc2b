// A token that was refused: what is the matter with it, and what to do. The time in it is read without
// trusting it, for a sentence only. Must never show the token.

/** @returns the JWT's own end (`exp`, RFC 7519, 4.1.4), milliseconds since the epoch */
export function tokenEndMs(token: string): number | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return undefined;
    return typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sentences about a 401.
 * @param endMs of the token, where it tells one
 * @param nowMs by the service's clock
 */
export function refusedTokenWords(endMs: number | undefined, nowMs: number): string {
  if (endMs !== undefined && endMs <= nowMs) {
    const agoS = Math.max(1, Math.round((nowMs - endMs) / 1000));
    return `The token has expired ${agoS} s ago. Get a new one; a function given as \`token\` is asked before each attempt.`;
  }
  return 'The token was refused. Check that it is whole, that it has not expired, and that it was issued for this service (issuer and audience).';
}

export const FORBIDDEN_WORDS =
  'The token is not allowed to do this, or something before the service forbids it (403). Check its scopes, and the URL.';
