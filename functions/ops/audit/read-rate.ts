// Read units a second that a scan may take, over all its segments: a page is paid for after it was read,
// and the next one waits until the debt is worked off.

export type ReadRate = { readonly spend: (units: number) => Promise<void> };

export function readRate(
  unitsPerSecond: number,
  now: () => number,
  sleepMs: (ms: number) => Promise<void>,
): ReadRate {
  let freeAtMs = 0;
  return {
    async spend(units) {
      const startMs = Math.max(now(), freeAtMs);
      freeAtMs = startMs + (1000 * units) / unitsPerSecond;
      const waitMs = freeAtMs - now();
      if (waitMs > 0) await sleepMs(waitMs);
    },
  };
}
