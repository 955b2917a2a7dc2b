// What every answer carries, whatever came of it: the request ID, and that nothing is cached or guessed at
// unless the route says so.

import { HEADERS } from '#contract/headers.ts';
import type { EdgeMiddleware } from '#http/edge-parts.ts';

export function completeAnswers(): EdgeMiddleware {
  const complete: NonNullable<EdgeMiddleware['after']> = (middle) => {
    if (!middle.response) return;
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      [HEADERS.requestId]: middle.event.requestId,
      ...middle.response.headers,
    };
    middle.response = { ...middle.response, headers };
  };
  return { after: complete, onError: complete };
}
