// Tries of one write: how often, how long, and what the whole of them means. Retries of a store call
// happen here and in no other layer. "Unknown" is sticky: a later definite error does not take it back,
// since the write that got no answer may still be applied.

import type { Budget } from '#idempotency/budget.ts';
import type { NotApplied, SendOptions, Unknown } from '#idempotency/commit-port.ts';

export type TryPolicy = {
  /** One try, milliseconds; facts: a store that fails over needs about a second. */
  readonly tryTimeoutMs: number;
  readonly triesMax: number;
  /** Full jitter between 0 and min(cap, base × 2^n), milliseconds. */
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
};

export type TryEnvironment = {
  readonly budget: Budget;
  readonly policy: TryPolicy;
  /** In [0, 1). */
  readonly random: () => number;
  readonly newToken: () => string;
  readonly sleepMs: (ms: number) => Promise<void>;
};

/** A write that has less time cannot be answered in it; it would only make the outcome unknown. */
const SEND_MS_MIN = 20;

/** How the tries ended without an answer that settles them. */
export type TriesEnd = {
  readonly kind: 'unsettled';
  readonly unknown: boolean;
  readonly tries: number;
  readonly why: 'budget' | 'tries' | 'refused' | 'halted';
};
export type Settled<T> = { readonly kind: 'settled'; readonly value: T; readonly tries: number };

/**
 * Sends until an answer settles the write, the budget or the tries are used up, or `halted()`.
 * After a try that certainly wrote nothing the next one has a new token; after an unknown one it is
 * the same token and the same bytes.
 */
export async function sendUntilSettled<T extends { readonly kind: string }>(
  send: (options: SendOptions) => Promise<T | NotApplied | Unknown>,
  halted: () => boolean,
  env: TryEnvironment,
): Promise<Settled<Exclude<T, NotApplied | Unknown>> | TriesEnd> {
  const { budget, policy } = env;
  const mayStillSend = () => budget.remainingForWritesMs() > 0 && !halted();
  let token = env.newToken();
  let unknown = false;
  let tries = 0;
  const unsettled = (why: TriesEnd['why']): TriesEnd => ({
    kind: 'unsettled',
    unknown,
    tries,
    why,
  });
  for (;;) {
    if (halted()) return unsettled('halted');
    if (budget.remainingForWritesMs() < SEND_MS_MIN) return unsettled('budget');
    if (tries >= policy.triesMax) return unsettled('tries');
    const timeoutMs = Math.min(policy.tryTimeoutMs, budget.remainingForWritesMs());
    const answer = await send({ token, timeoutMs, maySend: mayStillSend });
    if (isNotApplied(answer)) {
      if (answer.why === 'not-sent') return unsettled(halted() ? 'halted' : 'budget');
      tries += 1;
      if (answer.why === 'refused') return unsettled('refused');
      if (!unknown) token = env.newToken();
    } else if (isUnknown(answer)) {
      tries += 1;
      unknown = true;
    } else {
      return {
        kind: 'settled',
        value: answer as Exclude<T, NotApplied | Unknown>,
        tries: tries + 1,
      };
    }
    const leftMs = Math.max(0, budget.remainingForWritesMs());
    await env.sleepMs(Math.min(backoffMs(tries, policy, env.random()), leftMs));
  }
}

/** Did the caller's time end these tries, rather than the store? */
export function ranOutOfTime(end: TriesEnd, budget: Budget): boolean {
  return end.why === 'budget' && (end.tries === 0 || budget.endsWithDeadline());
}

/** Full jitter. `tries` counts the tries so far, from 1. */
export function backoffMs(tries: number, policy: TryPolicy, random: number): number {
  const ceiling = Math.min(policy.backoffCapMs, policy.backoffBaseMs * 2 ** (tries - 1));
  return Math.floor(random * ceiling);
}

function isNotApplied(answer: { readonly kind: string }): answer is NotApplied {
  return answer.kind === 'not-applied';
}

function isUnknown(answer: { readonly kind: string }): answer is Unknown {
  return answer.kind === 'unknown';
}
