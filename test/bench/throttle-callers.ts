// How callers behave when a create is answered 503: not at all, as many do, and as this client does, which
// is the code of the package itself with a retry budget for each of the simulated processes.

import { clientIn, type ExportOnceClient } from '#client/client.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { retryAfterSeconds } from '#http/answer.ts';
import type { Caller, CallerWorld } from '#test/bench/throttle-world.ts';
import { problemAnswer, receiptAnswer } from '#test/client/wire-answers.ts';

export interface NamedCaller {
  readonly name: string;
  readonly caller: () => Caller;
}

const ATTEMPTS = 5;
/** Where the callers' wall clock starts, milliseconds since the epoch. */
const START_EPOCH_MS = 1_767_225_600_000;

async function fiveTimes({ attempt, time, random }: CallerWorld): Promise<boolean> {
  for (let made = 1; ; made += 1) {
    if (await attempt()) return true;
    if (made === ATTEMPTS) return false;
    await time.sleep(1_000 * retryAfterSeconds(1_000, random));
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
        const { body, ...head } = (await attempt()) ? receiptAnswer() : unavailable(random);
        return new Response(body, head);
      },
    },
    { url: 'http://service.test', token: 't', retryBudget: retryBudget() },
  );
}

function unavailable(random: () => number) {
  const headers = { 'retry-after': `${retryAfterSeconds(1_000, random)}` };
  return problemAnswer('store-unavailable', 503, {}, headers);
}

export const CALLERS: readonly NamedCaller[] = [
  { name: 'do not retry', caller: () => (world) => world.attempt() },
  { name: 'this client', caller: thisClient },
  { name: 'five attempts, whatever happens', caller: () => fiveTimes },
];
