// OPTIONS: a browser asks whether it may call, without a token. Allowed origins are configuration.

import { HEADERS_ALLOWED } from '#contract/headers.ts';
import type { Route } from '#http/edge-parts.ts';

/** Seconds that a browser may remember the answer. */
const MAX_AGE_SECONDS = 600;

export function answerPreflightRoute(allowedOrigins: readonly string[]): Route {
  return {
    keyed: false,
    answer(request) {
      const origin = request.header('origin');
      const allowed =
        origin !== undefined && (allowedOrigins.includes('*') || allowedOrigins.includes(origin));
      return {
        status: 204,
        headers: {
          allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
          ...(allowed && {
            'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
            'access-control-allow-headers': HEADERS_ALLOWED.join(', '),
            'access-control-max-age': `${MAX_AGE_SECONDS}`,
          }),
        },
      };
    },
  };
}
