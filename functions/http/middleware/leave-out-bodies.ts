// HEAD is answered as GET is, without the body (RFC 9110, 9.3.2): a route that serves both need not know.

import type { EdgeMiddleware } from '#http/edge-parts.ts';

export function leaveOutBodies(): EdgeMiddleware {
  const leaveOut: NonNullable<EdgeMiddleware['after']> = (middle) => {
    if (middle.event.method !== 'HEAD' || !middle.response) return;
    const { body: _, ...head } = middle.response;
    middle.response = head;
  };
  return { after: leaveOut, onError: leaveOut };
}
