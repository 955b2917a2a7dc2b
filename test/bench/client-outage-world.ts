// Many clients, one service, one outage, on a clock that costs nothing. The service has a capacity: what
// exceeds it in a tenth of a second is turned away, as in the outage everything is. Promises: the same
// options give the same run; a request is counted in the second in which it arrives.

import type { World } from '#client/world.ts';
import { seededRandom, simulatedTime } from '#test/bench/simulated-time.ts';

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
  const time = simulatedTime();
  const { after, sleep } = time;
  const windows = new Map<number, number>();

  const send = async () => {
    const nowMs = time.nowMs();
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
    monotonicMs: time.nowMs,
    wallMs: () => 1_767_225_600_000 + time.nowMs(),
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
      void time.at(atMs, () => {
        void policy(world, client);
        if (atMs + callEveryMs < endMs) again(atMs + callEveryMs);
      });
    again(phaseMs);
  }
  await time.run(endMs + 60_000);
  return { load: requests.map((count) => count / normalPerSecond) };
}
