// What every call may be given, and the span that follows from it. The deadline is measured on the
// monotonic clock from here on: an instant is turned into a duration once.

import { openSpan, type Span, TIMER_MS_MAX } from '#client/deadline.ts';
import { type ErrorFacts, StoppedError } from '#client/errors.ts';
import type { World } from '#client/world.ts';

/** Milliseconds. */
export const TIMEOUT_MS_DEFAULT = 30_000;

export interface CallOptions {
  /**
   * For the whole call, retries included. Milliseconds.
   * @default 30000
   */
  readonly timeoutMs?: number;
  /** The same as an instant; the earlier of the two counts. */
  readonly deadline?: Date;
  readonly signal?: AbortSignal;
  /**
   * Longest time of one attempt: then it is given up, and another may follow. Milliseconds.
   * @default what the client was given; else 10000, and 30000 to put and to get an article
   */
  readonly attemptTimeoutMs?: number;
}

export interface CallSpan extends Span {
  /** By our clock. */
  readonly deadlineEpochMs: number;
  readonly attemptTimeoutMs?: number;
}

export interface SpanDefaults {
  /** @default 30000 */
  readonly timeoutMs?: number;
  /** What is known of the intent before anything is sent: stands in the error of a bad option. */
  readonly facts: Pick<ErrorFacts, 'outcome' | 'idempotencyKey' | 'job'>;
}

/** @throws StoppedError argument-invalid */
export function openCallSpan(
  { timeoutMs, deadline, signal, attemptTimeoutMs }: CallOptions,
  world: World,
  { timeoutMs: defaultTimeoutMs = TIMEOUT_MS_DEFAULT, facts }: SpanDefaults,
): CallSpan {
  const askedMs = timeoutMs ?? (deadline === undefined ? defaultTimeoutMs : TIMER_MS_MAX);
  if (!isDuration(askedMs)) throw refused('timeoutMs', facts);
  if (attemptTimeoutMs !== undefined && !isDuration(attemptTimeoutMs)) {
    throw refused('attemptTimeoutMs', facts);
  }
  const wallMs = world.wallMs();
  const untilMs = deadline === undefined ? askedMs : deadline.getTime() - wallMs;
  if (Number.isNaN(untilMs)) {
    throw new StoppedError('argument-invalid', 'deadline is no valid date.', facts);
  }
  const totalMs = Math.max(0, Math.min(askedMs, untilMs));
  const deadlineEpochMs = Math.floor(wallMs + totalMs);
  return {
    ...openSpan(world, world.monotonicMs() + totalMs, signal),
    deadlineEpochMs,
    ...(attemptTimeoutMs !== undefined && { attemptTimeoutMs }),
  };
}

export function isDuration(ms: number): boolean {
  return ms > 0 && ms <= TIMER_MS_MAX;
}

function refused(name: string, facts: SpanDefaults['facts']): StoppedError {
  const message = `${name} is more than 0 and at most ${TIMER_MS_MAX} milliseconds.`;
  return new StoppedError('argument-invalid', message, facts);
}
