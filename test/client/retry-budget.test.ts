// The retry budget: free in a short fault, shut in a lasting one.

import { describe, expect, it } from 'vitest';
import {
  RETRY_TOKENS_MAX,
  RETRY_TOKENS_PER_ANSWER,
  retryBudget,
  sharedRetryBudget,
} from '#client/retry-budget.ts';

describe('a retry budget', () => {
  it('lets ten retries through and refuses the eleventh', () => {
    const budget = retryBudget();

    const taken = Array.from({ length: RETRY_TOKENS_MAX + 1 }, () => budget.take());

    expect(taken.filter(Boolean)).toHaveLength(RETRY_TOKENS_MAX);
    expect(taken.at(-1)).toBe(false);
    expect(budget.allows()).toBe(false);
  });

  it('earns one retry by ten answers, not by nine', () => {
    const budget = retryBudget(1);
    budget.take();

    for (let answers = 0; answers < 1 / RETRY_TOKENS_PER_ANSWER - 1; answers += 1) budget.putBack();
    const afterNine = budget.allows();
    budget.putBack();

    expect(afterNine).toBe(false);
    expect(budget.allows()).toBe(true);
  });

  it('never holds more than it is full with', () => {
    const budget = retryBudget(2);

    for (let answers = 0; answers < 100; answers += 1) budget.putBack();

    expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false]);
  });

  it('is one for an origin, and another for another origin', () => {
    expect(sharedRetryBudget('https://a.example')).toBe(sharedRetryBudget('https://a.example'));
    expect(sharedRetryBudget('https://a.example')).not.toBe(sharedRetryBudget('https://b.example'));
  });
});
