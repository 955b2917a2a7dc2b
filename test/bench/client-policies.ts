// How clients may behave in an outage: three that are common, and this client as it is built, all of it,
// with a retry budget for each of the simulated processes.

import { clientIn, type ExportOnceClient } from '#client/client.ts';
import { retryBudget } from '#client/retry-budget.ts';
import type { Policy, SimulatedWorld } from '#test/bench/client-outage-world.ts';
import { foreignAnswer, operationAnswer, receiptAnswer } from '#test/client/wire-answers.ts';

export interface NamedPolicy {
  readonly name: string;
  readonly policy: () => Policy;
}

/** Milliseconds: the client's own default. */
const DEADLINE_MS = 30_000;

async function inLayers(world: SimulatedWorld, layers: number): Promise<boolean> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    if (layers === 1 ? await world.send() : await inLayers(world, layers - 1)) return true;
  }
  return false;
}

async function exponentially(world: SimulatedWorld): Promise<boolean> {
  const endMs = world.monotonicMs() + DEADLINE_MS;
  for (let waitMs = 100; ; waitMs = Math.min(5_000, waitMs * 2)) {
    if (await world.send()) return true;
    if (world.monotonicMs() + waitMs > endMs) return false;
    await world.sleep(waitMs);
  }
}

/** The client of the package; its requests reach the simulated service, whose outage is a 503. */
function thisClient(): Policy {
  const clients = new Map<number, ExportOnceClient>();
  return async (world, number) => {
    let client = clients.get(number);
    if (client === undefined) {
      client = clientIn(
        {
          ...world,
          async fetch(url, { method }) {
            const isAnswered = await world.send();
            const key = url.split('/').at(-1) ?? '';
            const good = method === 'GET' ? operationAnswer(key) : receiptAnswer();
            const { body, ...head } = isAnswered ? good : foreignAnswer(503);
            return new Response(body, head);
          },
        },
        { url: 'http://service.test', token: 't', retryBudget: retryBudget() },
      );
      clients.set(number, client);
    }
    return client.createExportJob({ articleIds: ['a'], format: 'text' }).then(
      () => true,
      () => false,
    );
  };
}

export const POLICIES: readonly NamedPolicy[] = [
  { name: 'three layers of 3', policy: () => (world) => inLayers(world, 3) },
  { name: 'exponential, no jitter', policy: () => exponentially },
  { name: 'immediate 3×', policy: () => (world) => inLayers(world, 1) },
  { name: 'this client', policy: thisClient },
];
