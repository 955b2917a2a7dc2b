// The retries of one process: what they take, what successes earn, and that it never is more.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRetryBudget,
  RETRY_COST,
  RETRY_TOKENS_MAX,
  SUCCESS_EARNS,
} from '#idempotency/retry-budget.ts';

function spendAll(budget: ReturnType<typeof createRetryBudget>): number {
  for (let spent = 0; ; spent += 1) if (!budget.spend()) return spent;
}

describe('a retry budget', () => {
  it('has the numbers of the standard mode: 500 tokens, 5 a retry, 1 a success', () => {
    expect([RETRY_TOKENS_MAX, RETRY_COST, SUCCESS_EARNS]).toEqual([500, 5, 1]);
  });

  it('that is full allows a hundred retries and no more', () => {
    expect(spendAll(createRetryBudget())).toBe(100);
  });

  it.each([
    [4, 0],
    [5, 1],
    [9, 1],
    [10, 2],
  ])('of %i tokens allows %i retries', (tokens, retries) => {
    const budget = createRetryBudget(tokens);

    expect(budget.isSpent()).toBe(retries === 0);
    expect(spendAll(budget)).toBe(retries);
    expect(budget.isSpent()).toBe(true);
  });

  it('takes nothing when it refuses', () => {
    const budget = createRetryBudget(9);
    spendAll(budget);
    for (let refused = 0; refused < 10; refused += 1) budget.spend();

    budget.succeeded(false);

    expect(budget.isSpent()).toBe(false);
  });

  it.each([
    [4, true],
    [5, false],
  ])(
    'that was spent earns a retry back by first-try successes: %i leave it spent: %s',
    (successes, spent) => {
      const budget = createRetryBudget(5);
      spendAll(budget);

      for (let done = 0; done < successes; done += 1) budget.succeeded(false);

      expect(budget.isSpent()).toBe(spent);
    },
  );

  it('gets the cost of the last retry back when that retry succeeds', () => {
    const budget = createRetryBudget(5);
    budget.spend();

    budget.succeeded(true);

    expect(spendAll(budget)).toBe(1);
  });

  it('that is full stays as it is, however much succeeds', () => {
    const budget = createRetryBudget(10);

    for (let done = 0; done < 1_000; done += 1) budget.succeeded(done % 2 === 0);

    expect(spendAll(budget)).toBe(2);
  });

  it('never allows more retries than were there and were earned', () => {
    const event = fc.constantFrom('spend', 'first-try', 'retried');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.array(event), (tokensMax, events) => {
        const budget = createRetryBudget(tokensMax);
        let tokens = tokensMax;
        for (const each of events) {
          if (each === 'spend') {
            const allowed = budget.spend();
            expect(allowed).toBe(tokens >= 5);
            if (allowed) tokens -= 5;
          } else {
            budget.succeeded(each === 'retried');
            tokens = Math.min(tokensMax, tokens + (each === 'retried' ? 5 : 1));
          }
          expect(budget.isSpent()).toBe(tokens < 5);
        }
      }),
    );
  });
});
