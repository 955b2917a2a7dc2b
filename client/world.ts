// What the client takes from outside: clocks, timers, randomness, fetch. Everything else is a function
// of these, so that a test can put a scripted network and a fake clock here.

import { isBlockedPort } from '#client/blocked-ports.ts';

export interface World {
  /** Never goes back; milliseconds, origin arbitrary. Deadlines are measured on it. */
  readonly monotonicMs: () => number;
  /** Milliseconds since the epoch. Only for keys and for X-Request-Deadline. */
  readonly wallMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Calls `then` once after `ms`; the returned function takes that back. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether that fetch refuses to connect to the port. @default to none */
  readonly blocksPort?: (port: number) => boolean;
}

export const realWorld: World = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  random: Math.random,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  fetch: (url, init) => fetch(url, init),
  blocksPort: isBlockedPort,
};
