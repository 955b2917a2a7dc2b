// The tries of one store call of the worker: a budget of its own, its waits included.

import type { RunOptions } from '#export-jobs/run-port.ts';
import { startBudget } from '#idempotency/budget.ts';
import { startTries, type Tries } from '#idempotency/tries.ts';

/** A store that does not answer for this long fails the run, milliseconds; the next one tries again. */
const STORE_CALL_MS = 15_000;

export function storeCall(
  { tries, platformRemainingMs }: Pick<RunOptions, 'tries' | 'platformRemainingMs'>,
  totalMs = STORE_CALL_MS,
): Tries {
  const limits = { totalMs, platformRemainingMs, lookUpReserveMs: 0 };
  return startTries({ ...tries, budget: startBudget(limits, tries.clock) });
}
