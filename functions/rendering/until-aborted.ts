// A source that is read until it ends or its reader is told to stop, whichever comes first. It must not
// hold on to what it has handed over: a listener a wait, since one promise raced with all of them would.

/** The same items. An abort throws the signal's reason at once, even if the source never answers. */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let exhausted = false;
  try {
    while (true) {
      const next = await orAborted(iterator.next(), signal);
      if (next.done) {
        exhausted = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a generator queues return() behind a next() that may never settle.
    if (!exhausted) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const settled = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(settled);
  });
}
