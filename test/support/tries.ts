// Tries for tests of use cases without a service around them: a clock that the test holds, no waits.

import { type Budget, type Clock, startBudget } from '#idempotency/budget.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { startTries, type Tries, type TriesParts } from '#idempotency/tries.ts';

const LIMITS = { totalMs: 8_000, platformRemainingMs: () => 9_500, lookUpReserveMs: 1_000 };

export function triesOn(clock: Clock, parts: Partial<TriesParts> = {}): Tries {
  return startTries({
    clock,
    budget: startBudget(LIMITS, clock),
    policy: { tryTimeoutMs: 1_500, triesMax: 8, backoffBaseMs: 50, backoffCapMs: 1_000 },
    retries: createRetryBudget(),
    random: () => 0.5,
    newToken: () => 'token',
    sleepMs: async () => undefined,
    ...parts,
  });
}

/** Never used up. */
export const ENDLESS: Budget = {
  remainingMs: () => 1_000,
  remainingForWritesMs: () => 1_000,
  endsWithDeadline: () => false,
};
