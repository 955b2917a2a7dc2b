// Instants. Milliseconds and seconds are two types, so that one can never stand for the other:
// DynamoDB's TTL reads seconds and ignores what looks like the year 58,000.

export type EpochMs = number & { readonly unit: 'epoch ms' };
export type EpochSeconds = number & { readonly unit: 'epoch s' };

/** Largest instant a Date can hold, milliseconds. A 48-bit time stays below it. */
const EPOCH_MS_MAX = 8_640_000_000_000_000;

/** Takes a whole number of milliseconds since 1970. @throws RangeError on anything else */
export function epochMs(value: number): EpochMs {
  if (!Number.isSafeInteger(value) || value < 0 || value > EPOCH_MS_MAX) {
    throw new RangeError(`not an instant in epoch milliseconds: ${value}`);
  }
  return value as EpochMs;
}

/** The first whole second that is not before `instant`. The only way from milliseconds to seconds. */
export function epochSecondsCeil(instant: EpochMs): EpochSeconds {
  return Math.ceil(instant / 1000) as EpochSeconds;
}

/** `instant` moved by `durationMs`, which may be negative; never before 1970. */
export function plusMs(instant: EpochMs, durationMs: number): EpochMs {
  return epochMs(Math.max(0, instant + durationMs));
}

export function laterOf(a: EpochMs, b: EpochMs): EpochMs {
  return a >= b ? a : b;
}

/** The last instant that RFC 3339 can write: its years have four digits. */
const RFC_3339_MS_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** RFC 3339 in UTC with milliseconds. A later instant is written as the last one that it can write. */
export function rfc3339(instant: EpochMs): string {
  return new Date(Math.min(instant, RFC_3339_MS_MAX)).toISOString();
}
