// Time and chance as this process has them.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidV7 } from 'uuid';
import type { World } from '#http/attempt.ts';

export const realWorld: World = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  newToken: () => randomUUID(),
  newJobId: (atMs) => uuidV7({ msecs: atMs }),
  sleepMs: (ms) => sleep(ms),
};

/** Ends early, without an error, when the signal aborts. */
export async function sleepUntilAborted(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
