// What one attempt came to, as a value, and what may be concluded from it. Must never take silence for a
// "no": only an attempt that provably was not sent, or one that the service says took no effect, counts
// as not executed.

import type { Problem } from '#client/problem.ts';
import { PROBLEMS } from '#contract/problem-catalogue.ts';

/** The request provably never left: nobody was there, nobody we trust, or fetch refused to send it. */
export type UnsentReason =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'unreachable'
  | 'connect-timeout'
  | 'unsendable';
/** The request may have arrived; no whole answer did. */
export type LostReason = 'reset' | 'timed-out' | 'aborted' | 'truncated' | 'network';
/** A whole answer that is not the service's; the gateway before it refuses tokens (401) and callers (403). */
export type ForeignReason = 'redirect' | 'not-the-service' | 'token-refused' | 'forbidden';

/** Headers of an answer that decide on a repeat. */
export interface Timing {
  readonly retryAfterMs?: number;
  /** The service's clock, from `Date`; milliseconds since the epoch. */
  readonly serverTimeMs?: number;
}

export type AttemptOutcome<T> =
  | { readonly kind: 'success'; readonly status: number; readonly value: T }
  | {
      readonly kind: 'problem';
      readonly status: number;
      readonly problem: Problem;
      readonly timing: Timing;
      /** The current entity tag, where one is told. */
      readonly etag?: string;
    }
  | {
      readonly kind: 'foreign';
      readonly status: number;
      readonly why: ForeignReason;
      readonly timing: Timing;
    }
  | { readonly kind: 'unsent'; readonly why: UnsentReason; readonly cause: unknown }
  | { readonly kind: 'lost'; readonly why: LostReason; readonly cause: unknown };

export type Executed = 'yes' | 'no' | 'unknown';
/** Whether the whole call had its effect. */
export type Outcome = 'executed' | 'not-executed' | 'unknown';

/**
 * What a request does: `keyed` operations say in each problem whether the attempt took effect; of a
 * plain `write` the status must tell; a `read` has no effect.
 */
export type Effect = 'keyed' | 'write' | 'read';

/** Answers of the gateway itself that mean: the attempt did not run. Its 429 and 5xx do not. */
const GATEWAY_DID_NOT_RUN: readonly number[] = [401, 403, 413, 431];

/** By any code: a newer service may answer one that is not in it. */
const CATALOGUE = new Map<string, { readonly title: string; readonly executed?: Executed }>(
  Object.entries(PROBLEMS),
);

/** The service knows no operation at this path, or none with this method. */
const NO_OPERATION: readonly string[] = ['route-not-found', 'method-not-allowed'];

/** Did this attempt take effect? */
export function executedBy(outcome: AttemptOutcome<unknown>, effect: Effect): Executed {
  if (effect === 'read') return 'no';
  switch (outcome.kind) {
    case 'success':
      return 'yes';
    case 'unsent':
      return 'no';
    case 'lost':
      return 'unknown';
    case 'foreign':
      return GATEWAY_DID_NOT_RUN.includes(outcome.status) ? 'no' : 'unknown';
    case 'problem':
      return executedByProblem(outcome.problem, effect);
  }
}

function executedByProblem(problem: Problem, effect: Effect): Executed {
  if (problem.executed !== undefined) return problem.executed;
  // What no operation takes was executed by none.
  if (NO_OPERATION.includes(problem.code)) return 'no';
  if (effect === 'keyed') return 'unknown';
  const entry = CATALOGUE.get(problem.code);
  if (entry?.executed !== undefined) return entry.executed;
  return problem.status < 500 && problem.status !== 408 ? 'no' : 'unknown';
}

/** Does it look as if a repeat could fare better? Unknown things are not temporary, except 5xx. */
export function isTemporary(outcome: AttemptOutcome<unknown>): boolean {
  switch (outcome.kind) {
    case 'success':
      return false;
    case 'unsent':
      return outcome.why !== 'tls' && outcome.why !== 'unsendable';
    case 'lost':
      return outcome.why !== 'aborted';
    case 'foreign':
      // A whole 2xx that is not the service's: something on the way answered in its place.
      if (outcome.why === 'redirect') return false;
      return isPassingStatus(outcome.status) || (outcome.status >= 200 && outcome.status < 300);
    case 'problem':
      return (
        isPassingStatus(outcome.status) || outcome.problem.code === 'idempotency-key-in-future'
      );
  }
}

function isPassingStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** The service, or what stands before it, asks for less. */
export function isThrottled(outcome: AttemptOutcome<unknown>): boolean {
  return 'status' in outcome && (outcome.status === 429 || outcome.status === 503);
}

/** `timing` of an answer; nothing where there was none. */
export function timingOf(outcome: AttemptOutcome<unknown>): Timing {
  return outcome.kind === 'problem' || outcome.kind === 'foreign' ? outcome.timing : {};
}
