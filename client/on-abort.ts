// Hears of an abort, however many calls share one signal. Promises: a signal has at most one listener of
// ours, so that no runtime warns of a leak, and none once nobody waits any more.

const waiting = new WeakMap<AbortSignal, Waiting>();

interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly forget: () => void;
}

/**
 * @param then called once, and never when the signal has aborted already
 * @returns takes it back
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  const { callbacks, forget } = waiting.get(signal) ?? listenTo(signal);
  // The same function may wait twice.
  const callback = () => then();
  callbacks.add(callback);
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) forget();
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const forget = () => {
    signal.removeEventListener('abort', heard);
    waiting.delete(signal);
  };
  const heard = () => {
    forget();
    for (const callback of [...callbacks]) {
      // One that was taken back by another is not called any more.
      if (callbacks.delete(callback)) callback();
    }
  };
  signal.addEventListener('abort', heard);
  const entry = { callbacks, forget };
  waiting.set(signal, entry);
  return entry;
}
