// What holds of every write and read, whatever the store answers, however long it takes, however much is
// left to retry with.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadResult } from '#idempotency/commit-port.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { backoffMs } from '#idempotency/tries.ts';
import {
  type Answer,
  APPLIED,
  notApplied,
  TRY_POLICY,
  triesOnAClock,
  UNKNOWN,
} from '#test/idempotency/tries-on-a-clock.ts';

const WRITES_MS = 7_000;
const TOTAL_MS = 8_000;

const answers = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 1_500 }),
    answer: fc.constantFrom<Answer>(
      APPLIED,
      UNKNOWN,
      ...(['throttled', 'conflict', 'unreachable', 'refused'] as const).map(notApplied),
    ),
  }),
  { minLength: 1, maxLength: 12 },
);
const lots = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
  minLength: 1,
});
const tokensMax = fc.integer({ min: 1, max: 60 });

function drawing(numbers: readonly number[]): () => number {
  let drawn = 0;
  return () => numbers[drawn++ % numbers.length] ?? 0;
}

/** Tokens that are left, counted by spending them. */
function leftOf(retries: ReturnType<typeof createRetryBudget>): number {
  for (let spent = 0; ; spent += 5) if (!retries.spend()) return spent;
}

type Step = { readonly after: number; readonly answer: Answer };

async function playWrite(steps: readonly Step[], tokens: number, draws: readonly number[]) {
  const retries = createRetryBudget(tokens);
  const at = triesOnAClock({ retries, random: drawing(draws) });
  const { sent, send } = at.sending(...steps);
  const end = await at.tries.write(send);
  return { at, sent, end, retries };
}

describe('any write', () => {
  it('ends within the time for writes, its tries within what was left', async () => {
    await fc.assert(
      fc.asyncProperty(answers, tokensMax, lots, async (steps, tokens, draws) => {
        const { at, sent } = await playWrite(steps, tokens, draws);

        expect(at.passedMs()).toBeLessThanOrEqual(WRITES_MS);
        for (const { timeoutMs } of sent) {
          expect(timeoutMs).toBeGreaterThanOrEqual(20);
          expect(timeoutMs).toBeLessThanOrEqual(1_500);
        }
      }),
    );
  });

  it('sends no more than the policy and the retry budget allow, and pays for exactly its retries', async () => {
    await fc.assert(
      fc.asyncProperty(answers, tokensMax, lots, async (steps, tokens, draws) => {
        const { at, sent, end, retries } = await playWrite(steps, tokens, draws);
        const retried = sent.length - 1;
        const givenBack = end.kind === 'settled' ? (retried > 0 ? 5 : 1) : 0;

        expect(sent.length).toBeLessThanOrEqual(Math.min(8, 1 + Math.floor(tokens / 5)));
        expect(at.tries.sent()).toBe(sent.length);
        const left = Math.min(tokens, tokens - 5 * retried + givenBack);
        expect(leftOf(retries)).toBe(left - (left % 5));
      }),
    );
  });

  it('has a new token after each try that wrote nothing, and one token from the first unknown try on', async () => {
    await fc.assert(
      fc.asyncProperty(answers, tokensMax, lots, async (steps, tokens, draws) => {
        const { at, sent } = await playWrite(steps, tokens, draws);
        const came = at.reports.map(([each]) => each);

        for (const [place, { token, afterUnknown }] of sent.entries()) {
          const unknownBefore = came.slice(0, place).includes('unknown');
          expect(afterUnknown).toBe(unknownBefore);
          if (place > 0) expect(token === sent[place - 1]?.token).toBe(unknownBefore);
        }
      }),
    );
  });

  it('is certain only when every try was', async () => {
    await fc.assert(
      fc.asyncProperty(answers, tokensMax, lots, async (steps, tokens, draws) => {
        const { at, end } = await playWrite(steps, tokens, draws);
        const came = at.reports.map(([each]) => each);

        expect(end.kind === 'settled').toBe(came.at(-1) === 'answered');
        if (end.kind === 'unsettled') expect(end.unknown).toBe(came.includes('unknown'));
      }),
    );
  });
});

describe('any read', () => {
  it('is asked until it is answered, the budget ends or the retries are spent', async () => {
    const failures = fc.integer({ min: 0, max: 40 });
    const tookMs = fc.integer({ min: 0, max: 1_500 });
    await fc.assert(
      fc.asyncProperty(failures, tookMs, tokensMax, async (failing, after, tokens) => {
        const at = triesOnAClock({ retries: createRetryBudget(tokens) });
        const failed: ReadResult<string> = { kind: 'failed' };
        const steps = Array.from({ length: failing }, () => ({ after, answer: failed }));
        const { asked, read } = at.reading<string>(...steps, { after, answer: { kind: 'none' } });

        const result = await at.tries.read(read);

        const retriesMax = Math.floor(tokens / 5);
        expect(asked.length).toBeLessThanOrEqual(1 + retriesMax);
        if (result.kind === 'none') expect(asked).toHaveLength(failing + 1);
        else expect(at.passedMs() >= TOTAL_MS || asked.length === 1 + retriesMax).toBe(true);
      }),
    );
  });
});

describe('the wait before a retry', () => {
  const tries = fc.integer({ min: 1, max: 5_000 });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it('is a whole number of milliseconds, from none up to the ceiling of its turn', () => {
    fc.assert(
      fc.property(tries, random, (made, drawn) => {
        const waitMs = backoffMs(made, TRY_POLICY, drawn);

        expect(Number.isInteger(waitMs)).toBe(true);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThan(Math.min(1_000, made > 5 ? 1_000 : 50 * 2 ** (made - 1)));
      }),
    );
  });

  it.each([
    [1, 49],
    [2, 99],
    [5, 799],
    [6, 999],
    [7, 999],
  ])('after %i tries is at most %i ms', (made, longestMs) => {
    expect(backoffMs(made, TRY_POLICY, 1 - Number.EPSILON)).toBe(longestMs);
    expect(backoffMs(made, TRY_POLICY, 0)).toBe(0);
  });
});
