// What callers do when a create is answered 503: nothing; what this client does, which is the code of the
// package itself with a retry budget for each of the simulated processes; or five attempts in any case.

import { clientIn, type ExportOnceClient } from '#client/client.ts';
import { retryBudget } from '#client/retry-budget.ts';
import type { Caller, CallerWorld } from '#test/bench/throttle-world.ts';
import { problemAnswer, receiptAnswer } from '#test/client/wire-answers.ts';

export interface NamedCaller {
  readonly name: string;
  readonly caller: () => Caller;
}

const ATTEMPTS = 5;
/** Where the callers' wall clock starts, milliseconds since the epoch. */
const START_EPOCH_MS = 1_767_225_600_000;

async function fiveTimes({ attempt, time }: CallerWorld): Promise<boolean> {
  for (let made = 1; ; made += 1) {
    const attempted = await attempt();
    if (attempted.done) return true;
    if (made === ATTEMPTS) return false;
    await time.sleep(attempted.waitMs);
  }
}

function thisClient(): Caller {
  const clients = new Map<number, ExportOnceClient>();
  return async (world) => {
    const client = clients.get(world.caller) ?? clientOf(world);
    clients.set(world.caller, client);
    return client.createExportJob({ articleIds: ['a'], format: 'text' }).then(
      () => true,
      () => false,
    );
  };
}

function clientOf({ time, random, attempt }: CallerWorld): ExportOnceClient {
  return clientIn(
    {
      monotonicMs: time.nowMs,
      wallMs: () => START_EPOCH_MS + time.nowMs(),
      random,
      randomBytes: (count) => new Uint8Array(count),
      after: time.after,
      async fetch() {
        const attempted = await attempt();
        const { body, ...head } = attempted.done ? receiptAnswer() : unavailable(attempted.waitMs);
        return new Response(body, head);
      },
    },
    { url: 'http://service.test', token: 't', retryBudget: retryBudget() },
  );
}

function unavailable(waitMs: number) {
  const headers = { 'retry-after': `${waitMs / 1_000}` };
  return problemAnswer('store-unavailable', 503, {}, headers);
}

export const CALLERS: readonly NamedCaller[] = [
  { name: 'do not retry', caller: () => async (world) => (await world.attempt()).done },
  { name: 'this client', caller: thisClient },
  { name: 'five attempts, whatever happens', caller: () => fiveTimes },
];
