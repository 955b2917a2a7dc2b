// Many clients, one service, one outage, on a clock that costs nothing. The service has a capacity: what
// exceeds it in a tenth of a second is turned away, as in the outage everything is. Promises: the same
// options give the same run; a request is counted in the second in which it arrives.

import type { World } from '#client/world.ts';

export interface OutageOptions {
  readonly clients: number;
  /** Each client begins a call this often, milliseconds; their phases are spread evenly. */
  readonly callEveryMs: number;
  readonly outageFromMs: number;
  readonly outageToMs: number;
  readonly endMs: number;
  /** Of the normal load: what the service can answer. */
  readonly capacity: number;
}

export const OUTAGE: OutageOptions = {
  clients: 1_000,
  callEveryMs: 2_000,
  outageFromMs: 30_000,
  outageToMs: 90_000,
  endMs: 180_000,
  capacity: 1.5,
};

/** One attempt takes this long to be answered, milliseconds. */
const LATENCY_MS = 20;
const CAPACITY_WINDOW_MS = 100;

export interface OutageRun {
  /** Requests in each second, in multiples of the normal load. */
  readonly load: readonly number[];
}

/** How a client makes one call in this world; true when it succeeded. */
export type Policy = (world: SimulatedWorld, client: number) => Promise<boolean>;

export interface SimulatedWorld extends World {
  /** One request; whether it was answered well. */
  readonly send: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
}

export async function runOutage(policy: Policy, options = OUTAGE): Promise<OutageRun> {
  const { clients, callEveryMs, outageFromMs, outageToMs, endMs } = options;
  const normalPerSecond = (clients * 1000) / callEveryMs;
  const perWindow = (normalPerSecond * options.capacity * CAPACITY_WINDOW_MS) / 1000;
  const seconds = Math.ceil(endMs / 1000);
  const requests = new Array<number>(seconds).fill(0);
  const queue = timerQueue();
  const windows = new Map<number, number>();
  let nowMs = 0;

  const after: World['after'] = (ms, then) => queue.add(nowMs + Math.max(0, ms), then);
  const sleep = (ms: number) => new Promise<void>((done) => void after(ms, done));
  const send = async () => {
    const second = Math.floor(nowMs / 1000);
    if (second < seconds) requests[second] = (requests[second] ?? 0) + 1;
    const isOut = nowMs >= outageFromMs && nowMs < outageToMs;
    const window = Math.floor(nowMs / CAPACITY_WINDOW_MS);
    const taken = windows.get(window) ?? 0;
    const isAnswered = !isOut && taken < perWindow;
    if (!isOut) windows.set(window, taken + 1);
    await sleep(LATENCY_MS);
    return isAnswered;
  };
  const world: SimulatedWorld = {
    monotonicMs: () => nowMs,
    wallMs: () => 1_767_225_600_000 + nowMs,
    random: seededRandom(1),
    randomBytes: (count) => new Uint8Array(count),
    after,
    fetch: () => Promise.reject(new Error('a policy sends by itself')),
    send,
    sleep,
  };

  for (let client = 0; client < clients; client += 1) {
    const phaseMs = (client * callEveryMs) / clients;
    const again = (atMs: number) =>
      void queue.add(atMs, () => {
        void policy(world, client);
        if (atMs + callEveryMs < endMs) again(atMs + callEveryMs);
      });
    again(phaseMs);
  }
  for (
    let next = queue.next();
    next !== undefined && next.atMs < endMs + 60_000;
    next = queue.next()
  ) {
    nowMs = next.atMs;
    next.then();
    await new Promise<void>((idle) => setImmediate(idle));
  }
  return { load: requests.map((count) => count / normalPerSecond) };
}

/** Timers in the order of their time; a binary heap, since there are a hundred thousand at once. */
function timerQueue() {
  type Timer = {
    readonly atMs: number;
    readonly order: number;
    readonly then: () => void;
    gone: boolean;
  };
  const heap: Timer[] = [];
  let order = 0;
  const isBefore = (a: Timer, b: Timer) =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as Timer, heap[a] as Timer];
  };
  const pop = (): Timer | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const children = [2 * at + 1, 2 * at + 2].filter((child) => child < heap.length);
      const least = children.reduce(
        (best, child) => (isBefore(heap[child] as Timer, heap[best] as Timer) ? child : best),
        at,
      );
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  };
  return {
    add(atMs: number, then: () => void): () => void {
      const timer: Timer = { atMs, order: order++, then, gone: false };
      heap.push(timer);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at] as Timer, heap[parent] as Timer)) break;
        swap(at, parent);
        at = parent;
      }
      return () => {
        timer.gone = true;
      };
    },
    next(): Timer | undefined {
      let timer = pop();
      while (timer?.gone) timer = pop();
      return timer;
    },
  };
}

/** mulberry32: small, and the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
