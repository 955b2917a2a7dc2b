// A world without time: the clock goes from timer to timer as soon as nothing else is left to do.
// Promises: the same randomness gives the same run; `pendingTimers` counts what was left over.

import type { World } from '#client/world.ts';

export interface FakeWorld extends World {
  /** Runs until the promise settles, however long that takes on the fake clock. */
  readonly run: <T>(promise: Promise<T>) => Promise<PromiseSettledResult<T>>;
  readonly pendingTimers: () => number;
}

type Timer = { readonly atMs: number; readonly then: () => void };

/** 2026-01-01T00:00:00Z, where the wall clock starts, milliseconds. */
export const START_EPOCH_MS = 1_767_225_600_000;

export function fakeWorld(
  fetch: (world: World, url: string, init: RequestInit) => Promise<Response>,
  random: () => number = () => 0.5,
): FakeWorld {
  const timers = new Set<Timer>();
  // An origin that is not 0, so that nothing works by accident.
  let nowMs = 12_345;
  const startMs = nowMs;
  const world: World = {
    monotonicMs: () => nowMs,
    wallMs: () => START_EPOCH_MS + (nowMs - startMs),
    random,
    randomBytes: (count) => Uint8Array.from({ length: count }, (_, place) => place * 37),
    after(ms, then) {
      const timer = { atMs: nowMs + Math.max(0, ms), then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    fetch: (url, init) => fetch(world, url, init),
  };
  return {
    ...world,
    pendingTimers: () => timers.size,
    async run(promise) {
      let settled = false;
      const result = Promise.allSettled([promise]).then(([one]) => {
        settled = true;
        return one;
      });
      for (;;) {
        await new Promise<void>((idle) => setImmediate(idle));
        if (settled) return result;
        const next = [...timers].reduce<Timer | undefined>(
          (first, timer) => (first === undefined || timer.atMs < first.atMs ? timer : first),
          undefined,
        );
        if (next === undefined) throw new Error('nothing will ever happen again');
        timers.delete(next);
        nowMs = next.atMs;
        next.then();
      }
    },
  };
}

/** Settles after `ms` of the world's time, or with the signal's reason when it aborts first. */
export function passes(world: World, ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = world.after(ms, resolve);
    signal?.addEventListener('abort', () => {
      cancel();
      reject(signal.reason);
    });
  });
}
