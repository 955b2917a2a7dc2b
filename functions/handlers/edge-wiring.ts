// What every function has: settings, logs, metrics, and the edge that HTTP routes stand on. No client of
// AWS and no name of a resource: functions that need none of them start without.

import { readSettings, type Settings } from '#handlers/config.ts';
import { createLog } from '#handlers/log.ts';
import { createSignals } from '#handlers/measure.ts';
import { realWorld } from '#handlers/world.ts';
import type { World } from '#http/attempt.ts';
import type { Edge, Log, Signals } from '#http/edge-parts.ts';
import { pathsBelow } from '#http/paths.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import type { TryPolicy } from '#idempotency/tries.ts';

export type EdgeOptions = {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly world?: World;
  readonly log?: Log;
  readonly signals?: Signals;
};

/** @throws ConfigError */
export function wireEdge({
  environment = process.env,
  world = realWorld,
  log = createLog(),
  signals = createSignals(environment.STAGE),
}: EdgeOptions = {}) {
  const config = readSettings(environment);
  const tries = triesOf(config);
  // One for each instance: what its attempts may retry together.
  const retries = createRetryBudget(config.STORE_RETRY_TOKENS_MAX);
  const edge: Edge = {
    config: {
      budgetMs: config.CREATE_BUDGET_MS,
      platformReserveMs: config.PLATFORM_RESERVE_MS,
      lookUpReserveMs: config.LOOK_UP_RESERVE_MS,
      tries,
      retries,
      retention: config.retention,
      readFirst: config.READ_FIRST === 'on',
    },
    paths: pathsBelow(config.BASE_PATH),
    world,
    log,
    signals,
  };
  return { environment, config, tries, retries, log, signals, edge };
}

export type EdgeWiring = ReturnType<typeof wireEdge>;

function triesOf(config: Settings): TryPolicy {
  return {
    tryTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
    triesMax: config.STORE_TRIES_MAX,
    backoffBaseMs: config.STORE_BACKOFF_BASE_MS,
    backoffCapMs: config.STORE_BACKOFF_CAP_MS,
  };
}
