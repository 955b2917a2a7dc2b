// A clock that costs nothing: it goes from timer to timer as soon as nothing else is left to do.
// Promises: timers of one instant fire in the order in which they were set, so that the same program gives
// the same run on every machine.

export interface SimulatedTime {
  /** Milliseconds since the run began. */
  readonly nowMs: () => number;
  /** Calls `then` once after `ms`; the returned function takes that back. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly at: (atMs: number, then: () => void) => () => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** Until no timer is left before `endMs`. */
  readonly run: (endMs: number) => Promise<void>;
}

export function simulatedTime(): SimulatedTime {
  const queue = timerQueue();
  let nowMs = 0;
  const after: SimulatedTime['after'] = (ms, then) => queue.add(nowMs + Math.max(0, ms), then);
  return {
    nowMs: () => nowMs,
    after,
    at: queue.add,
    sleep: (ms) => new Promise<void>((done) => void after(ms, done)),
    async run(endMs) {
      for (let next = queue.next(); next && next.atMs < endMs; next = queue.next()) {
        nowMs = next.atMs;
        next.then();
        await new Promise<void>((idle) => setImmediate(idle));
      }
    },
  };
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
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
