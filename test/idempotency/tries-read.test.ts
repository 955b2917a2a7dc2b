// Reads and glances: a read is repeated until the whole budget ends, or until this process has nothing left
// to retry with; a glance is one look.

import { describe, expect, it } from 'vitest';
import type { ReadResult } from '#idempotency/commit-port.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { APPLIED, triesOnAClock, UNKNOWN } from '#test/idempotency/tries-on-a-clock.ts';

const FOUND: ReadResult<string> = { kind: 'found', value: 'v' };
const NONE: ReadResult<string> = { kind: 'none' };
const FAILED: ReadResult<string> = { kind: 'failed' };
const plenty = () => createRetryBudget(1_000_000);
const open = (limits = {}, parts = {}) => triesOnAClock({ retries: plenty(), ...parts }, limits);

describe('a read', () => {
  it.each([
    ['found', FOUND],
    ['proven absent', NONE],
  ])('that is answered (%s) is asked once, consistently', async (_, result) => {
    const at = open();
    const { asked, read } = at.reading(result);

    expect(await at.tries.read(read)).toBe(result);
    expect(asked).toEqual([{ consistent: true, timeoutMs: 1_500 }]);
    expect(at.waits).toEqual([]);
  });

  it('that fails is asked again, more often than a write is sent, until the budget ends', async () => {
    const at = open();
    const { asked, read } = at.reading(FAILED);

    const result = await at.tries.read(read);

    expect(result).toEqual(FAILED);
    expect(asked).toHaveLength(20);
    expect(at.passedMs()).toBe(8_000);
  });

  it('outlasts a store that is away for most of the budget', async () => {
    const at = open();

    const result = await at.tries.read(async () => (at.passedMs() < 7_000 ? FAILED : FOUND));

    expect(result).toBe(FOUND);
  });

  it.each([
    [1, 1],
    [0, 0],
  ])(
    'has the time that is kept for it too: with %i ms of the whole budget it is asked %i time',
    async (leftMs, times) => {
      const at = open();
      at.pass(8_000 - leftMs);
      const { asked, read } = at.reading(FOUND);

      const result = await at.tries.read(read);

      expect(asked).toHaveLength(times);
      expect(result.kind).toBe(times === 1 ? 'found' : 'failed');
      expect(asked[0]?.timeoutMs).toBe(times === 1 ? leftMs : undefined);
    },
  );

  it('is asked once when the retry budget is spent', async () => {
    const at = open({}, { retries: createRetryBudget(4) });
    const { asked, read } = at.reading(FAILED, FOUND);

    expect(await at.tries.read(read)).toEqual(FAILED);
    expect(asked).toHaveLength(1);
    expect(at.waits).toEqual([]);
  });

  it('settles an unknown write even when the write has spent the last retry', async () => {
    const retries = createRetryBudget(5);
    const at = open({}, { retries });
    const write = at.sending(UNKNOWN);
    const { asked, read } = at.reading(FOUND);

    const end = await at.tries.write(write.send);
    const settled = await at.tries.read(read);

    expect(end).toMatchObject({ unknown: true, tries: 2, why: 'retry-budget' });
    expect(settled).toBe(FOUND);
    expect(asked).toHaveLength(1);
  });

  it('pays nothing for a repeat that the time did not allow', async () => {
    const retries = createRetryBudget(5);
    const at = open({ totalMs: 40 }, { retries, random: () => 0.999 });

    expect(await at.tries.read(at.reading(FAILED).read)).toEqual(FAILED);
    expect(retries.isSpent()).toBe(false);
  });

  it.each([
    ['found', FOUND],
    ['proven absent', NONE],
  ])('earns retries as a write does: %s', async (_, result) => {
    const retries = createRetryBudget(5);
    retries.spend();
    const at = open({}, { retries });

    for (let done = 0; done < 5; done += 1) await at.tries.read(at.reading(result).read);

    expect(retries.isSpent()).toBe(false);
  });

  it('is no write: it is not counted as sent, and it is reported', async () => {
    const at = open();

    await at.tries.read(at.reading({ after: 9, answer: FAILED }, { after: 2, answer: NONE }).read);

    expect(at.tries.sent()).toBe(0);
    expect(at.reports).toEqual([
      ['failed', 9],
      ['answered', 2],
    ]);
  });
});

describe('a glance', () => {
  it.each([
    ['found', FOUND],
    ['failed', FAILED],
  ])('is one look that may be stale, and is not repeated: %s', async (_, result) => {
    const at = open();
    const { asked, read } = at.reading(result);

    expect(await at.tries.glance(read)).toBe(result);
    expect(asked).toEqual([{ consistent: false, timeoutMs: 1_500 }]);
    expect(at.waits).toEqual([]);
  });

  it('has only the time for writes, so that the last look-up keeps its own', async () => {
    const at = open();
    at.pass(6_400);
    const { asked, read } = at.reading(FOUND);

    await at.tries.glance(read);

    expect(asked[0]?.timeoutMs).toBe(600);
  });

  it('neither takes nor earns retries: reads that work say nothing of writes that are throttled', async () => {
    const retries = createRetryBudget(5);
    const at = open({}, { retries });

    await at.tries.glance(at.reading(FAILED).read);
    const afterFailed = retries.isSpent();
    retries.spend();
    for (let done = 0; done < 100; done += 1) await at.tries.glance(at.reading(FOUND).read);

    expect(afterFailed).toBe(false);
    expect(retries.isSpent()).toBe(true);
  });

  it('leaves the first try of the write free', async () => {
    const at = open({}, { retries: createRetryBudget(4) });

    await at.tries.glance(at.reading(FAILED).read);
    const end = await at.tries.write(at.sending(APPLIED).send);

    expect(end.kind).toBe('settled');
  });
});
