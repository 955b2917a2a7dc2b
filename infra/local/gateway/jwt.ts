// Local tokens: made by `npm run token`, verified by the gateway as API Gateway's JWT authorizer
// does (signature, iss, aud, exp, nbf, iat). The issuer is a constant: it is part of the principal,
// so a token must mean the same caller on every port and after every restart.

import { jwtVerify, SignJWT } from 'jose';
import type { SigningKey } from '#local/gateway/signing-key.ts';

export const LOCAL_ISSUER = 'https://issuer.export-once.localhost';
export const LOCAL_AUDIENCE = 'export-once';
export const TOKEN_TTL_S_DEFAULT = 24 * 3600;

export interface TokenOptions {
  readonly ttlS?: number;
  /** Overrides for tests: another issuer, audience, nbf … */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export function signToken(key: SigningKey, subject: string, options: TokenOptions = {}) {
  const nowS = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: LOCAL_ISSUER,
    aud: LOCAL_AUDIENCE,
    sub: subject,
    iat: nowS,
    exp: nowS + (options.ttlS ?? TOKEN_TTL_S_DEFAULT),
    ...options.claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .sign(key.privateKey);
}

/** The claims as API Gateway hands them on, all strings; undefined when the token is not good. */
export async function verifyAuthorization(
  key: SigningKey,
  authorization: string | undefined,
): Promise<Readonly<Record<string, string>> | undefined> {
  const token = authorization?.replace(/^bearer +/i, '').trim();
  if (!token) return undefined;
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: ['RS256'],
      issuer: LOCAL_ISSUER,
      audience: LOCAL_AUDIENCE,
      requiredClaims: ['exp'],
    });
    if (payload.iat !== undefined && payload.iat > Date.now() / 1000) return undefined;
    return Object.fromEntries(Object.entries(payload).map(([name, v]) => [name, asString(v)]));
  } catch {
    return undefined;
  }
}

function asString(claim: unknown): string {
  if (Array.isArray(claim)) return `[${claim.join(' ')}]`;
  return typeof claim === 'object' ? JSON.stringify(claim) : String(claim);
}
