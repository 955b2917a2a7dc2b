// The tries of one write: how many, when, under which token, and what their end means. Nothing waits here:
// the clock moves by what calls and pauses take.

import { describe, expect, it } from 'vitest';
import { epochMs } from '#idempotency/epoch.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import {
  APPLIED,
  notApplied,
  START_MS,
  THROTTLED,
  TRY_POLICY,
  triesOnAClock,
  UNKNOWN,
} from '#test/idempotency/tries-on-a-clock.ts';

const plenty = () => createRetryBudget(1_000_000);
const open = (limits = {}, parts = {}) => triesOnAClock({ retries: plenty(), ...parts }, limits);

describe('a write', () => {
  it('that is applied at its first try is sent once, without a wait', async () => {
    const at = open();
    const { sent, send } = at.sending(APPLIED);

    const end = await at.tries.write(send);

    expect(end).toEqual({ kind: 'settled', value: APPLIED });
    expect(sent).toHaveLength(1);
    expect(at.waits).toEqual([]);
  });

  it.each(['throttled', 'conflict', 'unreachable'] as const)(
    'that was certainly not applied (%s) is tried again under a new token',
    async (why) => {
      const at = open();
      const { sent, send } = at.sending(notApplied(why), notApplied(why), APPLIED);

      const end = await at.tries.write(send);

      expect(end.kind).toBe('settled');
      expect(sent.map(({ token }) => token)).toEqual(['token-1', 'token-2', 'token-3']);
      expect(sent.map(({ afterUnknown }) => afterUnknown)).toEqual([false, false, false]);
    },
  );

  it('keeps its token from the first unknown try on, whatever comes later', async () => {
    const at = open();
    const { sent, send } = at.sending(THROTTLED, UNKNOWN, THROTTLED, UNKNOWN, APPLIED);

    await at.tries.write(send);

    expect(sent.map(({ token }) => token)).toEqual([
      'token-1',
      'token-2',
      'token-2',
      'token-2',
      'token-2',
    ]);
    expect(sent.map(({ afterUnknown }) => afterUnknown)).toEqual([false, false, true, true, true]);
  });

  it('stays unknown when an unknown try is followed by definite ones', async () => {
    const at = open();
    const { send } = at.sending(UNKNOWN, THROTTLED);

    const end = await at.tries.write(send);

    expect(end).toEqual({ kind: 'unsettled', unknown: true, tries: 8, why: 'tries' });
  });

  it('that is refused ends at once, and an unknown try before it is not forgotten', async () => {
    const certain = open();
    const after = open();

    const refused = await certain.tries.write(certain.sending(notApplied('refused')).send);
    const unknown = await after.tries.write(after.sending(UNKNOWN, notApplied('refused')).send);

    expect(refused).toEqual({ kind: 'unsettled', unknown: false, tries: 1, why: 'refused' });
    expect(unknown).toEqual({ kind: 'unsettled', unknown: true, tries: 2, why: 'refused' });
  });

  it('is tried as often as the policy says, with waits that double up to the cap', async () => {
    const at = open();
    const { sent, send } = at.sending(THROTTLED);

    const end = await at.tries.write(send);

    expect(end).toEqual({ kind: 'unsettled', unknown: false, tries: 8, why: 'tries' });
    expect(sent).toHaveLength(8);
    expect(at.waits).toEqual([25, 50, 100, 200, 400, 500, 500]);
  });

  it('is not followed by a wait when no try is left', async () => {
    const at = open({}, { policy: { ...TRY_POLICY, triesMax: 1 } });

    const end = await at.tries.write(at.sending(THROTTLED).send);

    expect(end).toMatchObject({ why: 'tries' });
    expect(at.waits).toEqual([]);
    expect(at.passedMs()).toBe(0);
  });

  it('says how many were sent over all writes of an attempt', async () => {
    const at = open();

    await at.tries.write(at.sending(THROTTLED, APPLIED).send);
    await at.tries.write(at.sending(UNKNOWN, UNKNOWN, APPLIED).send);

    expect(at.tries.sent()).toBe(5);
  });

  it('reports each try that left, by what came of it and how long it took', async () => {
    const at = open();
    const { send } = at.sending(
      { after: 7, answer: THROTTLED },
      { after: 1_500, answer: UNKNOWN },
      { after: 3, answer: APPLIED },
    );

    await at.tries.write(send);

    expect(at.reports).toEqual([
      ['throttled', 7],
      ['unknown', 1_500],
      ['answered', 3],
    ]);
  });
});

describe('the budget of a write', () => {
  it.each([
    [19, 0],
    [20, 1],
  ])('with %i ms left for writes lets %i try go', async (leftMs, tries) => {
    const at = open();
    at.pass(7_000 - leftMs);
    const { sent, send } = at.sending(APPLIED);

    const end = await at.tries.write(send);

    expect(sent).toHaveLength(tries);
    expect(end.kind).toBe(tries === 0 ? 'unsettled' : 'settled');
  });

  it('bounds each try: by its own limit, or by what is left', async () => {
    const at = open();
    const slow = { after: 1_500, answer: UNKNOWN };
    const { sent, send } = at.sending(slow);

    const end = await at.tries.write(send);

    // 8,000 less the second that is kept for a look-up.
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([1_500, 1_500, 1_500, 1_500, 625]);
    expect(end).toMatchObject({ unknown: true, tries: 5, why: 'budget' });
  });

  it('that ends in a wait cuts it, and nothing more is sent', async () => {
    const at = open({ totalMs: 400, lookUpReserveMs: 0 }, { random: () => 0.999 });
    const { sent, send } = at.sending(THROTTLED);

    const end = await at.tries.write(send);

    expect(at.waits).toEqual([49, 99, 199, 53]);
    expect(sent).toHaveLength(4);
    expect(end).toEqual({ kind: 'unsettled', unknown: false, tries: 4, why: 'budget' });
  });

  it('that runs out between the signature and the socket leaves no try and no report', async () => {
    const at = open();
    const { send, sent } = at.sending(APPLIED);

    const end = await at.tries.write(async (options) => {
      at.pass(7_000);
      return send(options);
    });

    expect(sent).toEqual([]);
    expect(end).toEqual({ kind: 'unsettled', unknown: false, tries: 0, why: 'budget' });
    expect(at.tries.sent()).toBe(0);
    expect(at.reports).toEqual([]);
  });

  it.each([
    ['the caller’s deadline ends it', { deadlineMs: epochMs(START_MS + 300) }, 0, true],
    ['our own time ends it', { totalMs: 300 }, 0, false],
    ['nothing was sent at all', {}, 8_000, true],
  ])('is the caller’s time or the store’s: %s', async (_, limits, passedMs, isTheCallers) => {
    const at = open(limits);
    at.pass(passedMs);

    const end = await at.tries.write(at.sending(THROTTLED).send);

    expect(end).toMatchObject({ kind: 'unsettled', why: 'budget' });
    expect(end.kind === 'unsettled' && at.tries.ranOutOfTime(end)).toBe(isTheCallers);
  });

  it('is nobody’s when the tries or the retry budget end first', async () => {
    const at = open();
    const spent = open({}, { retries: createRetryBudget(4) });

    const byTries = await at.tries.write(at.sending(THROTTLED).send);
    const byBudget = await spent.tries.write(spent.sending(THROTTLED).send);

    expect(byTries.kind === 'unsettled' && at.tries.ranOutOfTime(byTries)).toBe(false);
    expect(byBudget.kind === 'unsettled' && spent.tries.ranOutOfTime(byBudget)).toBe(false);
  });
});

describe('a write that may be halted', () => {
  it('is not sent once it is', async () => {
    const at = open();
    const { sent, send } = at.sending(APPLIED);

    const end = await at.tries.write(send, () => true);

    expect(sent).toEqual([]);
    expect(end).toEqual({ kind: 'unsettled', unknown: false, tries: 0, why: 'halted' });
  });

  it('is asked again before each try, and right before the bytes leave', async () => {
    const between = open();
    const signing = open();
    const { send } = between.sending(UNKNOWN);
    let signed = false;

    const after = await between.tries.write(send, () => between.passedMs() >= 25);
    const during = await signing.tries.write(
      async (options) => {
        signed = true;
        return signing.sending(APPLIED).send(options);
      },
      () => signed,
    );

    expect(after).toEqual({ kind: 'unsettled', unknown: true, tries: 1, why: 'halted' });
    expect(during).toEqual({ kind: 'unsettled', unknown: false, tries: 0, why: 'halted' });
  });
});
