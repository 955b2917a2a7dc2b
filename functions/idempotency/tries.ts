// The tries of one attempt: how often, how long, and what the whole of them means. Retries of a store call
// happen here and in no other layer. "Unknown" is sticky: a later definite error does not take it back,
// since the write that got no answer may still be applied.
// Must never: send once the budget is used up, or give an unknown try another token.

import type { Budget, Clock } from '#idempotency/budget.ts';
import type {
  NotApplied,
  ReadOptions,
  ReadResult,
  SendOptions,
  Unknown,
} from '#idempotency/commit-port.ts';
import type { RetryBudget } from '#idempotency/retry-budget.ts';

export type TryPolicy = {
  /** One try, milliseconds; facts: a store that fails over needs about a second. */
  readonly tryTimeoutMs: number;
  /** Tries of one write, at least one; reads go on until the budget ends. */
  readonly triesMax: number;
  /** Full jitter between 0 and min(cap, base × 2^n), milliseconds. */
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
};

/** Told of every call that left, by what came of it. */
export type TryReport = (
  came: 'answered' | 'failed' | Unknown['kind'] | NotApplied['why'],
  tookMs: number,
) => void;

export type TriesParts = {
  readonly clock: Clock;
  readonly budget: Budget;
  readonly policy: TryPolicy;
  /** In [0, 1). */
  readonly random: () => number;
  readonly newToken: () => string;
  readonly sleepMs: (ms: number) => Promise<void>;
  /** Of this process. */
  readonly retries: RetryBudget;
  readonly onTry?: TryReport;
};

/** As one process has them, for every attempt; each attempt has a budget of its own. */
export type TriesSettings = Omit<TriesParts, 'budget'>;

/** How the tries of a write ended without an answer that settles them. */
export type TriesEnd = {
  readonly kind: 'unsettled';
  readonly unknown: boolean;
  readonly tries: number;
  readonly why: 'budget' | 'tries' | 'retry-budget' | 'refused' | 'halted';
};
export type Settled<T> = { readonly kind: 'settled'; readonly value: T };

type Send<T> = (options: SendOptions) => Promise<T | NotApplied | Unknown>;
type Read<T> = (options: ReadOptions) => Promise<ReadResult<T>>;

export type Tries = {
  readonly clock: Clock;
  readonly budget: Budget;
  /**
   * Sends until an answer settles the write, the budget or the tries are used up, or `halted()`.
   * After a try that certainly wrote nothing the next one has a new token; after an unknown one it is
   * the same token and the same bytes.
   */
  readonly write: <T extends { readonly kind: string }>(
    send: Send<T>,
    halted?: () => boolean,
  ) => Promise<Settled<Exclude<T, NotApplied | Unknown>> | TriesEnd>;
  /** A consistent read, repeated until the whole budget ends, the reserve included: reads are safe to repeat. */
  readonly read: <T>(read: Read<T>) => Promise<ReadResult<T>>;
  /** One eventually consistent look within the time for writes. Only what it finds means something. */
  readonly glance: <T>(read: Read<T>) => Promise<ReadResult<T>>;
  /** Writes that left so far. */
  readonly sent: () => number;
  /** Did the caller's time end these tries, rather than the store? */
  readonly ranOutOfTime: (end: TriesEnd) => boolean;
};

/** A write that has less time cannot be answered in it; it would only make the outcome unknown. */
const SEND_MS_MIN = 20;

export function startTries(parts: TriesParts): Tries {
  const { clock, budget, policy, retries, onTry = () => undefined } = parts;
  let sent = 0;

  /** First tries are free. A retry pays right before it is sent: one that is never sent costs nothing. */
  const isPaid = (tries: number) => tries === 0 || retries.spend();

  /** Waits before the next try. @returns false at once when there is nothing left to pay it with */
  async function awaitRetry(tries: number, leftMs: () => number): Promise<boolean> {
    if (retries.isSpent()) return false;
    const waitMs = backoffMs(tries, policy, parts.random());
    await parts.sleepMs(Math.min(waitMs, Math.max(0, leftMs())));
    return true;
  }

  async function timed<T extends { readonly kind: string }>(call: Promise<T>): Promise<T> {
    const startedMs = clock.monotonicMs();
    const answer = await call;
    const came = cameOf(answer);
    if (came !== 'not-sent') onTry(came, clock.monotonicMs() - startedMs);
    return answer;
  }

  return {
    clock,
    budget,
    sent: () => sent,
    ranOutOfTime: (end) => end.why === 'budget' && (end.tries === 0 || budget.endsWithDeadline()),

    async write(send, halted = () => false) {
      const leftMs = budget.remainingForWritesMs;
      const maySend = () => leftMs() > 0 && !halted();
      let token = parts.newToken();
      let unknown = false;
      let tries = 0;
      const unsettled = (why: TriesEnd['why']): TriesEnd => ({
        kind: 'unsettled',
        unknown,
        tries,
        why,
      });
      const whyNoTry = () => {
        if (halted()) return 'halted';
        if (leftMs() < SEND_MS_MIN) return 'budget';
        return isPaid(tries) ? undefined : 'retry-budget';
      };
      for (;;) {
        const why = whyNoTry();
        if (why) return unsettled(why);
        const timeoutMs = Math.min(policy.tryTimeoutMs, leftMs());
        const answer = await timed(send({ token, timeoutMs, maySend, afterUnknown: unknown }));
        const came = cameOf(answer);
        if (came === 'not-sent') return unsettled(halted() ? 'halted' : 'budget');
        tries += 1;
        sent += 1;
        if (came === 'answered') {
          retries.succeeded(tries > 1);
          return { kind: 'settled', value: settledValue(answer) };
        }
        if (came === 'refused') return unsettled('refused');
        unknown ||= came === 'unknown';
        if (!unknown) token = parts.newToken();
        if (tries >= policy.triesMax) return unsettled('tries');
        if (!(await awaitRetry(tries, leftMs))) return unsettled('retry-budget');
      }
    },

    async read(read) {
      const leftMs = budget.remainingMs;
      for (let tries = 1; ; tries += 1) {
        if (leftMs() <= 0 || !isPaid(tries - 1)) return { kind: 'failed' };
        const timeoutMs = Math.min(policy.tryTimeoutMs, leftMs());
        const result = await timed(read({ consistent: true, timeoutMs }));
        if (result.kind !== 'failed') {
          retries.succeeded(tries > 1);
          return result;
        }
        if (!(await awaitRetry(tries, leftMs))) return result;
      }
    },

    glance(read) {
      const timeoutMs = Math.min(policy.tryTimeoutMs, budget.remainingForWritesMs());
      return timed(read({ consistent: false, timeoutMs }));
    },
  };
}

/** Full jitter. `tries` counts the tries so far, from 1. */
export function backoffMs(tries: number, policy: TryPolicy, random: number): number {
  const ceiling = Math.min(policy.backoffCapMs, policy.backoffBaseMs * 2 ** (tries - 1));
  return Math.floor(random * ceiling);
}

type Answer = { readonly kind: string };

function cameOf(answer: Answer): Parameters<TryReport>[0] {
  if (isNotApplied(answer)) return answer.why;
  return answer.kind === 'unknown' || answer.kind === 'failed' ? answer.kind : 'answered';
}

function isNotApplied(answer: Answer): answer is NotApplied {
  return answer.kind === 'not-applied';
}

/** What is neither is an answer that settles: the compiler cannot narrow a type parameter by itself. */
function settledValue<T>(answer: T): Exclude<T, NotApplied | Unknown> {
  return answer as Exclude<T, NotApplied | Unknown>;
}
