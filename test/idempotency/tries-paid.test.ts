// What a write takes of the retry budget of its process, and what it gives back: retries pay, first tries are
// free, and a retry that is never sent costs nothing.

import { describe, expect, it } from 'vitest';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import {
  APPLIED,
  notApplied,
  THROTTLED,
  triesOnAClock,
  UNKNOWN,
} from '#test/idempotency/tries-on-a-clock.ts';

type Parts = Parameters<typeof triesOnAClock>[0];
const open = (limits: Parameters<typeof triesOnAClock>[1], parts: Parts) =>
  triesOnAClock(parts, limits);

describe('the retry budget of a write', () => {
  it('that is spent leaves one try, and no wait', async () => {
    const at = open({}, { retries: createRetryBudget(4) });
    const { sent, send } = at.sending(THROTTLED);

    const end = await at.tries.write(send);

    expect(sent).toHaveLength(1);
    expect(at.waits).toEqual([]);
    expect(end).toEqual({ kind: 'unsettled', unknown: false, tries: 1, why: 'retry-budget' });
  });

  it('that is spent does not make an unknown try a known one', async () => {
    const at = open({}, { retries: createRetryBudget(4) });

    const end = await at.tries.write(at.sending(UNKNOWN).send);

    expect(end).toEqual({ kind: 'unsettled', unknown: true, tries: 1, why: 'retry-budget' });
  });

  it.each([
    [9, 2],
    [10, 3],
  ])('of %i tokens allows %i tries', async (tokens, tries) => {
    const at = open({}, { retries: createRetryBudget(tokens) });

    const end = await at.tries.write(at.sending(THROTTLED).send);

    expect(end).toMatchObject({ tries, why: 'retry-budget' });
  });

  it('pays for retries alone: the last try that the policy allows is followed by none', async () => {
    const retries = createRetryBudget(40);
    const at = open({}, { retries });

    const end = await at.tries.write(at.sending(THROTTLED).send);

    // Seven retries of 40 tokens: one is left.
    expect(end).toMatchObject({ tries: 8, why: 'tries' });
    expect(retries.isSpent()).toBe(false);
  });

  it('pays nothing for a retry that the time did not allow', async () => {
    const retries = createRetryBudget(5);
    const at = open({ totalMs: 60, lookUpReserveMs: 0 }, { retries, random: () => 0.999 });

    const end = await at.tries.write(at.sending(THROTTLED).send);

    expect(end).toMatchObject({ tries: 1, why: 'budget' });
    expect(retries.isSpent()).toBe(false);
  });

  it('pays nothing for a retry that was halted', async () => {
    const retries = createRetryBudget(5);
    const at = open({}, { retries });

    const end = await at.tries.write(at.sending(THROTTLED).send, () => at.passedMs() > 0);

    expect(end).toMatchObject({ tries: 1, why: 'halted' });
    expect(retries.isSpent()).toBe(false);
  });

  it('is shared: another attempt that takes the last tokens during the wait ends this one', async () => {
    const retries = createRetryBudget(5);
    const at = open({}, { retries, sleepMs: async () => void retries.spend() });

    const end = await at.tries.write(at.sending(THROTTLED).send);

    expect(end).toMatchObject({ tries: 1, why: 'retry-budget' });
  });

  it('earns one by a success at the first try, and the last retry’s cost by a later one', async () => {
    const retries = createRetryBudget(5);
    const at = open({}, { retries });

    await at.tries.write(at.sending(THROTTLED, APPLIED).send);
    const afterRetried = retries.isSpent();
    retries.spend();
    for (let done = 0; done < 4; done += 1) await at.tries.write(at.sending(APPLIED).send);
    const afterFour = retries.isSpent();
    await at.tries.write(at.sending(APPLIED).send);

    expect([afterRetried, afterFour, retries.isSpent()]).toEqual([false, true, false]);
  });

  it.each([
    ['refused', notApplied('refused')],
    ['unknown', UNKNOWN],
    ['throttled', THROTTLED],
  ])('earns nothing by a try that was %s', async (_, answer) => {
    const retries = createRetryBudget(5);
    retries.spend();
    const at = open({}, { retries });

    for (let done = 0; done < 10; done += 1) await at.tries.write(at.sending(answer).send);

    expect(retries.isSpent()).toBe(true);
  });
});
