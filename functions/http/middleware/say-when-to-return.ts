// The one place of Retry-After: whatever answer has a base gets the header. Whole seconds with jitter, at
// least 1: a crowd that is turned away does not come back as one.

import { HEADERS } from '#contract/headers.ts';
import type { HttpAnswer } from '#http/answer.ts';
import type { EdgeMiddleware } from '#http/edge-parts.ts';

/** @param random in [0, 1) */
export function sayWhenToReturn(random: () => number): EdgeMiddleware {
  const add: NonNullable<EdgeMiddleware['after']> = (middle) => {
    if (middle.response) middle.response = withRetryAfter(middle.response, random);
  };
  return { after: add, onError: add };
}

function withRetryAfter(answer: HttpAnswer, random: () => number): HttpAnswer {
  const { retryAfterMs, headers } = answer;
  if (retryAfterMs === undefined) return answer;
  const seconds = retryAfterSeconds(retryAfterMs, random);
  return { ...answer, headers: { ...headers, [HEADERS.retryAfter]: `${seconds}` } };
}

/** Never under the base; over it by up to half. */
export function retryAfterSeconds(baseMs: number, random: () => number): number {
  return Math.max(1, Math.ceil(baseMs / 1000) + Math.floor(random() * (1 + baseMs / 2000)));
}
