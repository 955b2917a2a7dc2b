// Whether to send the request again, and when: one pure function of everything that matters, with its
// guards in order. Was the failure recognised as temporary? Is a repeat safe? Is there time?
// Must never shorten what the service asked for in Retry-After.

import { type AttemptOutcome, isTemporary, isThrottled, timingOf } from '#client/outcome.ts';

/** Attempts of one call, the first among them. */
export const ATTEMPTS_MAX = 5;
/** Backoff before the first retry, milliseconds: a round trip, so that a hiccup costs little. */
export const BACKOFF_BASE_MS = 100;
/** The same when the service asked for less, milliseconds. */
export const BACKOFF_THROTTLED_BASE_MS = 1_000;
/** Longest backoff, milliseconds. */
export const BACKOFF_CAP_MS = 5_000;
/** An attempt with less time than this is not worth sending, milliseconds. */
export const ATTEMPT_MS_MIN = 100;

export interface DecideState {
  /** The same bytes twice do no harm: they carry the same key, or are idempotent by nature. */
  readonly repeatIsSafe: boolean;
  readonly attemptsMax: number;
  /** When attempts must have ended: the deadline less what is reserved. Monotonic milliseconds. */
  readonly attemptsEndMs: number;
  /** The instant sent as X-Request-Deadline; milliseconds since the epoch. */
  readonly deadlineEpochMs?: number;
  readonly budgetAllows: boolean;
}

export type StopReason =
  | 'settled'
  | 'not-temporary'
  | 'repeat-not-safe'
  | 'attempts-used-up'
  | 'retry-budget-empty'
  | 'retry-after-too-long'
  | 'deadline-passed-there'
  | 'no-time';

export type Decision =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'stop'; readonly why: StopReason };

export interface Moment {
  /** The attempt that ended, counted from 1. */
  readonly attempt: number;
  /** In [0, 1). */
  readonly random: number;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
}

export function decide(
  outcome: AttemptOutcome<unknown>,
  state: DecideState,
  { attempt, random, nowMs }: Moment,
): Decision {
  if (outcome.kind === 'success') return stop('settled');
  if (!isTemporary(outcome)) return stop('not-temporary');
  if (!state.repeatIsSafe && outcome.kind !== 'unsent') return stop('repeat-not-safe');
  if (attempt >= state.attemptsMax) return stop('attempts-used-up');

  const { retryAfterMs: floorMs, serverTimeMs } = timingOf(outcome);
  const isOver = (epochMs: number | undefined) =>
    serverTimeMs !== undefined && epochMs !== undefined && serverTimeMs > epochMs;
  // By the service's clock the deadline is over (ours may be slow): it would refuse each repeat.
  if (isRefusedAsLate(outcome) && isOver(state.deadlineEpochMs)) {
    return stop('deadline-passed-there');
  }
  const roomMs = state.attemptsEndMs - nowMs - ATTEMPT_MS_MIN;
  if (floorMs !== undefined && floorMs > roomMs) return stop('retry-after-too-long');
  if (roomMs < 0) return stop('no-time');
  if (!state.budgetAllows) return stop('retry-budget-empty');

  // On top of the floor: callers that were all told the same second do not come back in it.
  const waitMs = (floorMs ?? 0) + backoffMs(attempt, isThrottled(outcome), random);
  return { kind: 'retry', waitMs: Math.min(waitMs, roomMs) };
}

/** Full jitter between 0 and min(cap, base × 2^(n−1)), milliseconds. `failures` is counted from 1. */
export function backoffMs(failures: number, throttled: boolean, random: number): number {
  const baseMs = throttled ? BACKOFF_THROTTLED_BASE_MS : BACKOFF_BASE_MS;
  return random * Math.min(BACKOFF_CAP_MS, baseMs * 2 ** (failures - 1));
}

function isRefusedAsLate(outcome: AttemptOutcome<unknown>): boolean {
  return outcome.kind === 'problem' && outcome.problem.code === 'deadline-passed';
}

function stop(why: StopReason): Decision {
  return { kind: 'stop', why };
}
