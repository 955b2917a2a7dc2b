// Spans, sleeps and races: each ends when it should, and leaves nothing behind.

import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openSpan, race, sleep, TimeIsUp } from '#client/deadline.ts';
import { fakeWorld } from '#test/client/fake-world.ts';

const world = () => fakeWorld(() => Promise.reject(new Error('no network here')));
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('a span', () => {
  it('ends by the clock, with that as its reason', async () => {
    const own = world();
    const span = openSpan(own, own.monotonicMs() + 10);

    await own.run(sleep(own, 9, new AbortController().signal));
    expect(span.signal.aborted).toBe(false);
    await own.run(sleep(own, 1, new AbortController().signal));

    expect(span.signal.reason).toBeInstanceOf(TimeIsUp);
    expect(own.pendingTimers()).toBe(0);
  });

  it('ends with what contains it, for the same reason', () => {
    const own = world();
    const outer = new AbortController();
    const span = openSpan(own, own.monotonicMs() + 10, outer.signal);

    outer.abort('enough');

    expect(span.signal.reason).toBe('enough');
    expect([own.pendingTimers(), listeners(outer.signal)]).toEqual([0, 0]);
  });

  it('that is closed leaves no timer and no listener', () => {
    const own = world();
    const outer = new AbortController();

    openSpan(own, own.monotonicMs() + 10, outer.signal).close();

    expect([own.pendingTimers(), listeners(outer.signal)]).toEqual([0, 0]);
  });

  it('whose end is over, or whose outer one has ended, is over from the start', () => {
    const own = world();

    expect(openSpan(own, own.monotonicMs()).signal.aborted).toBe(true);
    expect(openSpan(own, own.monotonicMs() + 1, AbortSignal.abort()).signal.aborted).toBe(true);
    expect(own.pendingTimers()).toBe(0);
  });
});

describe('a sleep', () => {
  it('ends at once on abort, and leaves nothing', async () => {
    const own = world();
    const stop = new AbortController();
    const startMs = own.monotonicMs();
    const sleeping = sleep(own, 1_000, stop.signal);

    stop.abort('enough');
    const result = await own.run(sleeping);

    expect(result).toEqual({ status: 'rejected', reason: 'enough' });
    expect(own.monotonicMs()).toBe(startMs);
    expect([own.pendingTimers(), listeners(stop.signal)]).toEqual([0, 0]);
  });

  it('that ends by itself leaves no listener', async () => {
    const own = world();
    const stop = new AbortController();

    await own.run(sleep(own, 1_000, stop.signal));

    expect(listeners(stop.signal)).toBe(0);
  });
});

describe('a race', () => {
  it('gives the value, or the failure, and leaves no listener', async () => {
    const { signal } = new AbortController();

    expect(await race(Promise.resolve(1), signal)).toBe(1);
    await expect(race(Promise.reject(new Error('own')), signal)).rejects.toThrow('own');
    expect(listeners(signal)).toBe(0);
  });

  it('ends on abort, also when nobody ever settles the work', async () => {
    const stop = new AbortController();
    const racing = race(new Promise<never>(() => {}), stop.signal);

    stop.abort('enough');

    await expect(racing).rejects.toBe('enough');
    expect(listeners(stop.signal)).toBe(0);
  });

  it('that is lost from the start does not leave the failure of the work unhandled', async () => {
    await expect(race(Promise.reject(new Error('late')), AbortSignal.abort('over'))).rejects.toBe(
      'over',
    );
  });
});
