// Reads the event once. Takes anything: what is not of the payload's form is read as absent.

import type { EdgeMiddleware } from '#http/edge-parts.ts';
import { readRequest } from '#http/request.ts';

export function readRequests(): EdgeMiddleware {
  return {
    before: (middle) => {
      middle.event = readRequest(middle.event, middle.context);
    },
  };
}
