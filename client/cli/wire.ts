// The wire as the command sees it: each request that is sent, under the command's own name, and how it
// went. Must never tell a token, or the query of an address: that of a file is signed.

import { systemCodeOf } from '#client/cli/exit-codes.ts';
import { HEADERS } from '#contract/headers.ts';

export interface WireEvent {
  /** Method and path. */
  readonly request: string;
  readonly requestId?: string;
  /** Of the answer: `202`, or why there was none: `ECONNREFUSED`. */
  readonly came: string;
  readonly isFailure: boolean;
  readonly tookMs: number;
}

export type WireListener = (event: WireEvent) => void;

export interface Wire {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** @returns takes the listener back */
  readonly listen: (listener: WireListener) => () => void;
}

export function openWire(userAgent: string): Wire {
  const listeners = new Set<WireListener>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async fetch(url, init) {
      const headers = new Headers(init.headers);
      headers.set('user-agent', userAgent);
      const requestId = headers.get(HEADERS.requestId);
      const startMs = performance.now();
      const tell = (came: string, isFailure: boolean) => {
        const event = {
          request: `${init.method ?? 'GET'} ${new URL(url).pathname}`,
          ...(requestId !== null && { requestId }),
          came,
          isFailure,
          tookMs: Math.round(performance.now() - startMs),
        };
        for (const listener of listeners) listener(event);
      };
      try {
        const response = await fetch(url, { ...init, headers });
        tell(`${response.status}`, response.status >= 400);
        return response;
      } catch (error) {
        tell(init.signal?.aborted ? 'no answer in time' : reasonOf(error), true);
        throw error;
      }
    },
  };
}

/** fetch wraps the socket's error in a TypeError, and the errors of several addresses in an aggregate. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const [first] = cause instanceof AggregateError ? cause.errors : [];
  return (
    systemCodeOf(cause) ||
    systemCodeOf(first) ||
    (cause instanceof Error ? cause.message : 'the network failed')
  );
}
