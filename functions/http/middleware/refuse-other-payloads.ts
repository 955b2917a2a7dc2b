// Payload format 1.0 (REST APIs, load balancers) is refused, not half understood: its headers, paths
// and claims mean other things.

import type { EdgeMiddleware } from '#http/edge-parts.ts';
import { ProblemError } from '#http/problem.ts';

export function refuseOtherPayloads(): EdgeMiddleware {
  return {
    before: (middle) => {
      if (middle.event.payloadVersion !== '2.0') {
        throw new ProblemError('route-not-found', {
          detail: 'This function serves HTTP APIs: set payloadFormatVersion to "2.0".',
        });
      }
    },
  };
}
