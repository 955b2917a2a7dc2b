// Retry-After (RFC 9110, 10.2.3): whole seconds, or an HTTP date judged against the Date of the same
// answer, so that our own clock plays no part; where there is none (a browser does not show it), against
// the service's time as far as it is known. Anything else is as if it were not there.

import { parseHttpDate } from '#client/http-date.ts';

/**
 * @param nowMs the service's time when the answer came, as far as we know it; since the epoch
 * @returns milliseconds that must pass before the next attempt, or undefined when nothing is said
 */
export function retryAfterMs(
  retryAfter: string | null,
  date: string | null,
  nowMs: number,
): number | undefined {
  if (retryAfter === null) return undefined;
  const text = retryAfter.trim();
  // Many digits are a very long time, not a mistake: a finite number that exceeds every deadline.
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const saidAtMs = (date === null ? undefined : parseHttpDate(date.trim(), nowMs)) ?? nowMs;
  const notBeforeMs = parseHttpDate(text, saidAtMs);
  return notBeforeMs === undefined ? undefined : Math.max(0, notBeforeMs - saidAtMs);
}
