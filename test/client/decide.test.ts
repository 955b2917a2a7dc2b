// The retry decision, guard by guard, and what holds for every input.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_MS_MIN,
  ATTEMPTS_MAX,
  BACKOFF_CAP_MS,
  type DecideState,
  decide,
} from '#client/decide.ts';
import type { AttemptOutcome } from '#client/outcome.ts';
import type { Problem } from '#client/problem.ts';

const STATE: DecideState = {
  repeatIsSafe: true,
  attemptsMax: ATTEMPTS_MAX,
  attemptsEndMs: 30_000,
  budgetAllows: true,
};
const RESET: AttemptOutcome<never> = { kind: 'lost', why: 'reset', cause: undefined };
const REFUSED: AttemptOutcome<never> = { kind: 'unsent', why: 'refused', cause: undefined };
const problem = (code: string, status: number, retryAfterMs?: number): AttemptOutcome<never> => ({
  kind: 'problem',
  status,
  problem: { code, status } as Problem,
  timing: retryAfterMs === undefined ? {} : { retryAfterMs },
});
const foreign = (status: number, why: 'not-the-service' | 'redirect' = 'not-the-service') =>
  ({ kind: 'foreign', status, why, timing: {} }) as const;

describe('decide', () => {
  it.each([
    ['a success', { kind: 'success', status: 202, value: 1 } as const, 'settled'],
    ['a refusal', problem('validation-failed', 400), 'not-temporary'],
    ['a taken batch', problem('source-batch-taken', 409), 'not-temporary'],
    ['a certificate that is not trusted', { ...REFUSED, why: 'tls' } as const, 'not-temporary'],
    ['an abort', { ...RESET, why: 'aborted' } as const, 'not-temporary'],
    ["the gateway's 401", foreign(401), 'not-temporary'],
    ["the gateway's 404", foreign(404), 'not-temporary'],
    ['a redirect', foreign(307, 'redirect'), 'not-temporary'],
    ['501', foreign(501), 'not-temporary'],
  ])('stops after %s', (_, outcome, why) => {
    expect(decide(outcome, STATE, { attempt: 1, random: 0.5, nowMs: 0 })).toEqual({
      kind: 'stop',
      why,
    });
  });

  it.each([
    ['a refused connection', REFUSED],
    ['a reset', RESET],
    ['a time-out', { ...RESET, why: 'timed-out' } as const],
    ['an HTML 502', foreign(502)],
    ["the gateway's 429", foreign(429)],
    ['a foreign 200', foreign(200)],
    ['outcome-unknown', problem('outcome-unknown', 503)],
    ['store-unavailable', problem('store-unavailable', 503)],
    ['deadline-passed', problem('deadline-passed', 504)],
    ['a key that the service thinks is in the future', problem('idempotency-key-in-future', 400)],
    ['a 503 of a newer service', problem('something-new', 503)],
  ])('tries again after %s', (_, outcome) => {
    expect(decide(outcome, STATE, { attempt: 1, random: 0.5, nowMs: 0 }).kind).toBe('retry');
  });

  it('repeats what is not safe to repeat only when it was provably not sent', () => {
    const unsafe = { ...STATE, repeatIsSafe: false };

    expect(decide(RESET, unsafe, { attempt: 1, random: 0.5, nowMs: 0 })).toEqual({
      kind: 'stop',
      why: 'repeat-not-safe',
    });
    expect(decide(REFUSED, unsafe, { attempt: 1, random: 0.5, nowMs: 0 }).kind).toBe('retry');
  });

  it('makes five attempts', () => {
    expect(decide(RESET, STATE, { attempt: 4, random: 0.5, nowMs: 0 }).kind).toBe('retry');
    expect(decide(RESET, STATE, { attempt: 5, random: 0.5, nowMs: 0 })).toEqual({
      kind: 'stop',
      why: 'attempts-used-up',
    });
  });

  it('waits for Retry-After, and longer by the jitter', () => {
    const asked = problem('store-unavailable', 503, 3_000);

    expect(decide(asked, STATE, { attempt: 1, random: 0, nowMs: 0 })).toEqual({
      kind: 'retry',
      waitMs: 3_000,
    });
    expect(decide(asked, STATE, { attempt: 1, random: 0.5, nowMs: 0 })).toEqual({
      kind: 'retry',
      waitMs: 3_500,
    });
  });

  it('stops at once when Retry-After exceeds what is left', () => {
    const roomMs = STATE.attemptsEndMs - ATTEMPT_MS_MIN;
    const asks = (ms: number) =>
      decide(problem('store-unavailable', 503, ms), STATE, { attempt: 1, random: 0.9, nowMs: 0 });

    expect(asks(roomMs)).toEqual({ kind: 'retry', waitMs: roomMs });
    expect(asks(roomMs + 1)).toEqual({ kind: 'stop', why: 'retry-after-too-long' });
  });

  it('stops when an attempt would not fit any more', () => {
    const lastMs = STATE.attemptsEndMs - ATTEMPT_MS_MIN;

    expect(decide(RESET, STATE, { attempt: 1, random: 0.9, nowMs: lastMs })).toEqual({
      kind: 'retry',
      waitMs: 0,
    });
    expect(decide(RESET, STATE, { attempt: 1, random: 0, nowMs: lastMs + 1 })).toEqual({
      kind: 'stop',
      why: 'no-time',
    });
  });

  it('stops when the retry budget is empty', () => {
    const empty = { ...STATE, budgetAllows: false };

    expect(decide(RESET, empty, { attempt: 1, random: 0.5, nowMs: 0 })).toEqual({
      kind: 'stop',
      why: 'retry-budget-empty',
    });
  });

  it('stops when the deadline is over by the clock of the service that refused it as late', () => {
    const late = problem('deadline-passed', 504);
    const at = (serverTimeMs: number) => ({ ...late, timing: { serverTimeMs } }) as typeof late;
    const state = { ...STATE, deadlineEpochMs: 1_000_000 };

    expect(decide(at(1_000_000), state, { attempt: 1, random: 0.5, nowMs: 0 }).kind).toBe('retry');
    expect(decide(at(1_001_000), state, { attempt: 1, random: 0.5, nowMs: 0 })).toEqual({
      kind: 'stop',
      why: 'deadline-passed-there',
    });
  });

  it('doubles the full jitter from 100 ms, or from 1 s when throttled, up to 5 s', () => {
    const longest = (outcome: AttemptOutcome<never>) =>
      [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
        decide(
          outcome,
          { ...STATE, attemptsMax: 99 },
          { attempt: attempt, random: 1 - Number.EPSILON, nowMs: 0 },
        ),
      );
    const waits = (decisions: ReturnType<typeof longest>) =>
      decisions.map((decision) => (decision.kind === 'retry' ? Math.round(decision.waitMs) : -1));

    expect(waits(longest(RESET))).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000]);
    expect(waits(longest(foreign(429)))).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
  });

  it('never waits less than was asked, never more than floor and cap, never past the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: ATTEMPTS_MAX - 1 }),
        fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: -1_000, max: 40_000 }),
        (attempt, floorMs, random, nowMs) => {
          const outcome = problem('store-unavailable', 503, floorMs);
          const decision = decide(outcome, STATE, {
            attempt: attempt,
            random: random,
            nowMs: nowMs,
          });
          const fits = nowMs + (floorMs ?? 0) + ATTEMPT_MS_MIN <= STATE.attemptsEndMs;
          expect(decision.kind).toBe(fits ? 'retry' : 'stop');
          if (decision.kind === 'stop') return;
          expect(decision.waitMs).toBeGreaterThanOrEqual(floorMs ?? 0);
          expect(decision.waitMs).toBeLessThanOrEqual((floorMs ?? 0) + BACKOFF_CAP_MS);
          expect(nowMs + decision.waitMs + ATTEMPT_MS_MIN).toBeLessThanOrEqual(STATE.attemptsEndMs);
        },
      ),
    );
  });
});
