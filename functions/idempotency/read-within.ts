// A consistent read, tried again while the budget lasts: reads are safe to repeat.

import type { ReadOptions, ReadResult } from '#idempotency/commit-port.ts';
import { backoffMs, type TryEnvironment } from '#idempotency/store-tries.ts';

/** Reads are repeated at most this often: a store that fails thrice in a row is told as failed. */
const READ_TRIES_MAX = 3;

/** Paid from what is left of the budget, the reserve included. */
export async function readWithin<T>(
  env: Pick<TryEnvironment, 'budget' | 'policy' | 'random' | 'sleepMs'>,
  read: (options: ReadOptions) => Promise<ReadResult<T>>,
): Promise<ReadResult<T>> {
  for (let tries = 1; ; tries += 1) {
    const leftMs = env.budget.remainingMs();
    if (leftMs <= 0) return { kind: 'failed' };
    const timeoutMs = Math.min(env.policy.tryTimeoutMs, leftMs);
    const result = await read({ consistent: true, timeoutMs });
    if (result.kind !== 'failed' || tries >= READ_TRIES_MAX) return result;
    const waitMs = backoffMs(tries, env.policy, env.random());
    if (waitMs >= env.budget.remainingMs()) return result;
    await env.sleepMs(waitMs);
  }
}
