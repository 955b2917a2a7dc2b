// Callers at a steady rate, instances of the create function, and a table that throttles for a while, on a
// clock that costs nothing. The tries are the real ones; an instance serves one attempt at a time, and its
// retry budget is its own, as on Lambda. Promises: the same options give the same counts.

import { PROBLEMS } from '#contract/problem-catalogue.ts';
import { retryAfterSeconds } from '#http/middleware/say-when-to-return.ts';
import { startBudget } from '#idempotency/budget.ts';
import { epochMs } from '#idempotency/epoch.ts';
import type { createRetryBudget } from '#idempotency/retry-budget.ts';
import { startTries, type TryPolicy } from '#idempotency/tries.ts';
import { type SimulatedTime, seededRandom, simulatedTime } from '#test/bench/simulated-time.ts';

export interface ThrottleOptions {
  readonly seed: number;
  readonly createsPerSecond: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly endMs: number;
  /** Of the writes that arrive meanwhile: how many are throttled, from 0 to 1. */
  readonly share: number;
  readonly policy: TryPolicy;
  readonly budgetMs: number;
  readonly lookUpReserveMs: number;
  readonly instancesMax: number;
  /** Of each new instance. */
  readonly newRetryBudget: () => ReturnType<typeof createRetryBudget>;
}

/** 202, or 503 with nothing written and how long to wait. */
export type Attempted = { readonly done: true } | { readonly done: false; readonly waitMs: number };

/** How one caller gets one create done; true when it was. */
export type Caller = (world: CallerWorld) => Promise<boolean>;

export interface CallerWorld {
  readonly time: SimulatedTime;
  readonly random: () => number;
  /** Counted from 0; the same caller comes again after all the others. */
  readonly caller: number;
  /** One request. */
  readonly attempt: () => Promise<Attempted>;
}

export interface Counts {
  creates: number;
  attempts: number;
  writes: number;
  done: number;
}
export interface ThrottleRun {
  readonly during: Counts;
  /** The last minute of it. */
  readonly late: Counts;
  readonly after: Counts;
  /** Instances that were needed at the same time. */
  readonly instances: number;
}

/** DynamoDB answers a write, or refuses it, in about this time, milliseconds. */
const LATENCY_MS = 10;
/** One caller begins a create every second. */
const CALLER_EVERY_MS = 1_000;
/** What a throttle costs when everything that could be spent is spent: its last minute. */
const LATE_MS = 60_000;

export async function runThrottle(options: ThrottleOptions, make: Caller): Promise<ThrottleRun> {
  const { fromMs, toMs, endMs, createsPerSecond } = options;
  const time = simulatedTime();
  const random = seededRandom(options.seed);
  const [before, early, late, after] = [counts(), counts(), counts(), counts()];
  const isOn = () => time.nowMs() >= fromMs && time.nowMs() < toMs;
  const now = () => {
    const atMs = time.nowMs();
    if (atMs < fromMs) return before;
    if (atMs < toMs - LATE_MS) return early;
    return atMs < toMs ? late : after;
  };
  const instances = instancesOf(options);

  const send = async () => {
    now().writes += 1;
    const isThrottled = isOn() && random() < options.share;
    await time.sleep(LATENCY_MS);
    return isThrottled
      ? ({ kind: 'not-applied', why: 'throttled' } as const)
      : ({ kind: 'committed' } as const);
  };
  const attempt = async (): Promise<Attempted> => {
    now().attempts += 1;
    const retries = instances.take();
    if (!retries) return unavailable(false, random);
    const clock = { nowMs: () => epochMs(time.nowMs()), monotonicMs: time.nowMs };
    const { budgetMs: totalMs, lookUpReserveMs } = options;
    const limits = { totalMs, lookUpReserveMs, platformRemainingMs: () => totalMs };
    const tries = startTries({
      clock,
      budget: startBudget(limits, clock),
      policy: options.policy,
      random,
      newToken: () => 'token',
      sleepMs: time.sleep,
      retries,
    });
    const end = await tries.write(send);
    instances.giveBack(retries);
    return end.kind === 'settled' ? { done: true } : unavailable(retries.isSpent(), random);
  };

  const everyMs = 1_000 / createsPerSecond;
  const callers = (createsPerSecond * CALLER_EVERY_MS) / 1_000;
  for (let create = 0; create * everyMs < endMs; create += 1) {
    time.at(create * everyMs, () => {
      const begun = now();
      begun.creates += 1;
      void make({ time, random, caller: create % callers, attempt }).then((done) => {
        if (done) begun.done += 1;
      });
    });
  }
  await time.run(endMs + 60_000);
  return { during: sum(early, late), late, after, instances: instances.made() };
}

/** What the service says in Retry-After; an instance that is spent asks for more. */
function unavailable(isSpent: boolean, random: () => number): Attempted {
  const { retryAfterMs, retryAfterSpentMs } = PROBLEMS['store-unavailable'];
  const baseMs = isSpent ? retryAfterSpentMs : retryAfterMs;
  return { done: false, waitMs: 1_000 * retryAfterSeconds(baseMs ?? 0, random) };
}

function counts(): Counts {
  return { creates: 0, attempts: 0, writes: 0, done: 0 };
}

function sum(a: Counts, b: Counts): Counts {
  return {
    creates: a.creates + b.creates,
    attempts: a.attempts + b.attempts,
    writes: a.writes + b.writes,
    done: a.done + b.done,
  };
}

/** The last one that was given back is taken first, so that no more are made than are needed at once. */
function instancesOf({ newRetryBudget, instancesMax }: ThrottleOptions) {
  type Instance = ReturnType<typeof newRetryBudget>;
  const idle: Instance[] = [];
  let made = 0;
  return {
    made: () => made,
    take(): Instance | undefined {
      const warm = idle.pop();
      if (warm || made >= instancesMax) return warm;
      made += 1;
      return newRetryBudget();
    },
    giveBack: (instance: Instance) => void idle.push(instance),
  };
}
