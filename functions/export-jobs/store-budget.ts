// The time that one store call of the worker may take, its tries and waits included.

import type { RunEnvironment } from '#export-jobs/run-port.ts';
import { type Budget, startBudget } from '#idempotency/budget.ts';

/** A store that does not answer for this long fails the run, milliseconds; the next one tries again. */
const STORE_CALL_MS = 15_000;

export function storeBudget(
  env: Pick<RunEnvironment, 'clock' | 'platformRemainingMs'>,
  totalMs = STORE_CALL_MS,
): Budget {
  return startBudget(
    { totalMs, platformRemainingMs: env.platformRemainingMs, lookUpReserveMs: 0 },
    env.clock,
  );
}
