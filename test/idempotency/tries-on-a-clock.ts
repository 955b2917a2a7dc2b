// Tries on a clock that only waits and calls move: no time passes by itself. What was sent, waited and
// reported is written down, so that a test can say it in one line.

import { type BudgetLimits, startBudget } from '#idempotency/budget.ts';
import type { NotApplied, ReadResult, SendOptions, Unknown } from '#idempotency/commit-port.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { startTries, type TriesParts, type TryPolicy } from '#idempotency/tries.ts';

/** Where the wall clock starts; the monotonic one starts elsewhere, so that nothing works by accident. */
export const START_MS = 1_800_000_000_000;
const MONOTONIC_START_MS = 12_345;

export const TRY_POLICY: TryPolicy = {
  tryTimeoutMs: 1_500,
  triesMax: 8,
  backoffBaseMs: 50,
  backoffCapMs: 1_000,
};

export type Applied = { readonly kind: 'applied' };
export type Answer = Applied | NotApplied | Unknown;
export const APPLIED: Applied = { kind: 'applied' };
export const UNKNOWN: Unknown = { kind: 'unknown', why: 'no answer' };
export const notApplied = (why: NotApplied['why']): NotApplied => ({ kind: 'not-applied', why });
export const THROTTLED = notApplied('throttled');
const FAILED = { kind: 'failed' } as const;

/** A try: its answer, and how long the store takes for it. */
export type Step<T> = T | { readonly after: number; readonly answer: T };

export function triesOnAClock(
  parts: Omit<Partial<TriesParts>, 'budget' | 'clock'> & Pick<TriesParts, 'retries'>,
  limits: Partial<BudgetLimits> = {},
) {
  let passedMs = 0;
  let tokens = 0;
  const waits: number[] = [];
  const reports: [string, number][] = [];
  const clock = {
    nowMs: () => epochMs(START_MS + passedMs),
    monotonicMs: () => MONOTONIC_START_MS + passedMs,
  };
  const tries = startTries({
    policy: TRY_POLICY,
    random: () => 0.5,
    newToken() {
      tokens += 1;
      return `token-${tokens}`;
    },
    async sleepMs(ms) {
      waits.push(ms);
      passedMs += ms;
    },
    onTry: (came, tookMs) => void reports.push([came, tookMs]),
    ...parts,
    clock,
    budget: startBudget(
      { totalMs: 8_000, platformRemainingMs: () => 60_000, lookUpReserveMs: 1_000, ...limits },
      clock,
    ),
  });
  /** What comes of one try; `late`: it got no answer within its own time. */
  const take = async <T extends object>(step: Step<T>, timeoutMs: number, late: T): Promise<T> => {
    await undefined; // an answer never comes in the turn of its call
    if (!('answer' in step)) return step;
    passedMs += Math.min(step.after, timeoutMs);
    return step.after > timeoutMs ? late : step.answer;
  };
  return {
    tries,
    clock,
    /** Waits before retries, milliseconds. */
    waits,
    /** What `onTry` was told. */
    reports,
    passedMs: () => passedMs,
    pass(ms: number) {
      passedMs += ms;
    },
    /** A write that is answered step by step, by the last one for ever; with what each try was given. */
    sending(...steps: Step<Answer>[]) {
      const sent: SendOptions[] = [];
      const send = async (options: SendOptions): Promise<Answer> => {
        if (!options.maySend()) return notApplied('not-sent');
        sent.push(options);
        const step = steps[Math.min(sent.length, steps.length) - 1] ?? THROTTLED;
        return take(step, options.timeoutMs, UNKNOWN);
      };
      return { sent, send };
    },
    reading<T>(...steps: Step<ReadResult<T>>[]) {
      const asked: { consistent: boolean; timeoutMs: number }[] = [];
      const read = async (options: { consistent: boolean; timeoutMs: number }) => {
        asked.push(options);
        const step = steps[Math.min(asked.length, steps.length) - 1] ?? FAILED;
        return take<ReadResult<T>>(step, options.timeoutMs, FAILED);
      };
      return { asked, read };
    },
  };
}
