// ISO 8601 durations of fixed length (days to seconds) to milliseconds, and nothing laxer.

import { Temporal } from 'temporal-polyfill';

/** @returns milliseconds, or undefined when the text is no positive duration of fixed length */
export function parseDurationMs(text: string): number | undefined {
  try {
    const duration = Temporal.Duration.from(text);
    const ms = duration.total({ unit: 'milliseconds' });
    return Number.isSafeInteger(ms) && ms > 0 ? ms : undefined;
  } catch {
    return undefined; // not ISO 8601, or with months or years, which have no fixed length
  }
}
