// ISO 8601 durations of fixed length (days to seconds) to milliseconds, and nothing laxer. Every function
// carries this file: a library for calendars would be a fifth of a small one.

import * as z from 'zod';

const isoDuration = z.iso.duration();
const PARTS = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,3}))?S)?)?$/;

/**
 * @returns milliseconds, or undefined when the text is no positive duration of fixed length: years, months
 * and weeks are none, nor is what is finer than a millisecond
 */
export function parseDurationMs(text: string): number | undefined {
  const parts = isoDuration.safeParse(text).success ? PARTS.exec(text) : null;
  if (!parts) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1, 5).map((part = '0') => Number(part));
  const fractionMs = Number((parts[5] ?? '').padEnd(3, '0'));
  const wholeSeconds =
    (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  const ms = wholeSeconds * 1000 + fractionMs;
  return Number.isSafeInteger(ms) && ms > 0 ? ms : undefined;
}
