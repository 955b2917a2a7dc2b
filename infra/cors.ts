// Which browsers may call, as API Gateway is told: it answers every preflight by itself, and adds these
// headers to what functions answer. serverless.yml takes it through cors.cjs; the gateway on one machine
// does the same by the same value. Allowed origins are configuration; none by default.

import { HEADERS_ALLOWED, HEADERS_EXPOSED } from '#contract/headers.ts';
import { ROUTES } from '#contract/routes.ts';

/** Seconds that a browser may remember the answer to a preflight. */
const MAX_AGE_SECONDS = 600;

export type Cors = {
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly exposedResponseHeaders: readonly string[];
  readonly maxAge: number;
};

/**
 * @param origins separated by commas; `*` for any
 * @throws RangeError for what no browser sends as its origin, such as one with a slash at its end
 * @returns false where no browser may call: the gateway then knows no CORS at all
 */
export function corsOf(origins: string): Cors | false {
  const allowedOrigins = origins.split(',').flatMap((origin) => origin.trim() || []);
  if (allowedOrigins.length === 0) return false;
  const wrong = allowedOrigins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) {
    throw new RangeError(
      `ALLOWED_ORIGINS must be * or origins such as https://app.example, separated by commas, not "${wrong}".`,
    );
  }
  const methods: readonly string[] = Object.values(ROUTES).flatMap(({ methods }) => methods);
  return {
    allowedOrigins,
    allowedMethods: [...new Set(methods)],
    allowedHeaders: HEADERS_ALLOWED,
    exposedResponseHeaders: HEADERS_EXPOSED,
    maxAge: MAX_AGE_SECONDS,
  };
}

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}
