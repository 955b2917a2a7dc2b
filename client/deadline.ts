// Time that ends. A span is a stretch of one call (the call, an attempt in it, the last look-up) whose
// signal aborts when its end is reached or when what contains it ends. The end is fixed when the span
// is opened and never moved. Promises: `close` leaves no timer and no listener behind; a sleep and a
// race end at once on abort.

import { onAbort } from '#client/on-abort.ts';
import type { World } from '#client/world.ts';

/** Longest wait that a timer can hold, milliseconds (2^31 - 1: about 24 days). */
export const TIMER_MS_MAX = 2_147_483_647;

export interface Span {
  /** On the monotonic clock. */
  readonly endMs: number;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  readonly close: () => void;
}

/** Reason of a signal that the clock aborted. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

export function openSpan(world: World, endMs: number, within?: AbortSignal): Span {
  const controller = new AbortController();
  const remainingMs = () => endMs - world.monotonicMs();
  let cancelTimer = () => {};
  let leaveOuter = () => {};
  const close = () => {
    cancelTimer();
    leaveOuter();
  };
  const end = (reason: unknown) => {
    close();
    controller.abort(reason);
  };

  if (within?.aborted) controller.abort(within.reason);
  else if (remainingMs() <= 0) controller.abort(new TimeIsUp());
  else {
    cancelTimer = world.after(Math.min(remainingMs(), TIMER_MS_MAX), () => end(new TimeIsUp()));
    if (within) leaveOuter = onAbort(within, () => end(within.reason));
  }
  return { endMs, signal: controller.signal, remainingMs, close };
}

/** @throws the signal's reason when it aborts first; the timer is gone then */
export function sleep(world: World, ms: number, signal: AbortSignal): Promise<void> {
  return untilAborted(signal, (settled) => {
    const cancel = world.after(ms, () => settled.resolve());
    settled.promise.then(cancel, cancel);
  });
}

/** The promise, or the signal's reason when it aborts first: also when nobody ever settles the promise. */
export function race<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  return untilAborted(signal, (settled) => {
    Promise.resolve(work).then(settled.resolve, settled.reject);
  });
}

function untilAborted<T>(
  signal: AbortSignal,
  start: (settled: PromiseWithResolvers<T>) => void,
): Promise<T> {
  const settled = withResolvers<T>();
  const abort = () => settled.reject(signal.reason);
  if (signal.aborted) abort();
  else {
    const forget = onAbort(signal, abort);
    settled.promise.then(forget, forget);
  }
  start(settled);
  return settled.promise;
}

/** Promise.withResolvers, which Node 20 does not have. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve!: PromiseWithResolvers<T>['resolve'];
  let reject!: PromiseWithResolvers<T>['reject'];
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
