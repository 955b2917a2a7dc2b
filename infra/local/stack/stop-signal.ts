// When somebody asks this process to stop: SIGTERM, Ctrl-C, or a terminal that is closed. Asking twice is
// asking once. Imports nothing, so that it is there before anything else is loaded.

/** Aborted at the first signal; from here on none ends the process by itself. */
export function stopSignal(): AbortSignal {
  const asked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => asked.abort(new Error(`stopped by ${signal}`)));
  }
  return asked.signal;
}
