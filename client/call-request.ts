// What a call is made of: where to and with what, and what one request asks. Types alone, so that what
// prepares an attempt and what makes the call need not import each other.

import type { Effect } from '#client/outcome.ts';
import type { RetryBudget } from '#client/retry-budget.ts';
import type { WireRequest } from '#client/send-attempt.ts';
import type { ServiceClock } from '#client/service-clock.ts';
import type { World } from '#client/world.ts';

export interface CallContext {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Asked before each attempt, so that a token may be renewed during a call. */
  readonly token: () => string | PromiseLike<string>;
  readonly world: World;
  /** The service's, as its answers tell it. */
  readonly clock: ServiceClock;
  /** Of the whole client. Milliseconds. */
  readonly attemptTimeoutMs?: number;
  readonly budgetOf: (origin: string) => RetryBudget;
}

export interface CallRequest<T> extends Omit<WireRequest<T>, 'url'> {
  readonly path: string;
  readonly effect: Effect;
  /** @default true */
  readonly repeatIsSafe?: boolean;
  /** @default 5 */
  readonly attemptsMax?: number;
  /** Unless the caller has set one. @default 10 s */
  readonly attemptTimeoutMs?: number;
  /** By our clock; sent as X-Request-Deadline by the service's. Milliseconds since the epoch. */
  readonly deadlineEpochMs?: number;
}
