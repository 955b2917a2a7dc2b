// What every answer carries, whatever came of it: the request ID, and that nothing is cached or guessed at
// unless the route says so.

import { HEADERS, HEADERS_EXPOSED } from '#contract/headers.ts';
import type { EdgeMiddleware } from '#http/edge-parts.ts';
import type { HttpRequest } from '#http/request.ts';

export function completeAnswers(allowedOrigins: readonly string[]): EdgeMiddleware {
  const complete: NonNullable<EdgeMiddleware['after']> = (middle) => {
    if (!middle.response) return;
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      [HEADERS.requestId]: middle.event.requestId,
      ...corsHeaders(middle.event, allowedOrigins),
      ...middle.response.headers,
    };
    middle.response = { ...middle.response, headers };
  };
  return { after: complete, onError: complete };
}

/** What a browser script of an allowed origin may read. */
function corsHeaders(
  request: HttpRequest,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  const origin = request.header('origin');
  const any = allowedOrigins.includes('*');
  if (origin === undefined || !(any || allowedOrigins.includes(origin))) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': any ? '*' : origin,
    'access-control-expose-headers': HEADERS_EXPOSED.join(', '),
  };
}
