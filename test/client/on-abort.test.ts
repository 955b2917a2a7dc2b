// One signal, many calls: one listener, no warning, and everyone hears of the abort.

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { onAbort } from '#client/on-abort.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import { type ScriptedServer, stalls, startScriptedServer } from '#test/client/scripted-server.ts';

/** Node warns of the eleventh listener. */
const CALLS = 40;
const PARAMS = { articleIds: ['a-1'], format: 'text' } as const;

let server: ScriptedServer;
const warnings: Error[] = [];
const warned = (warning: Error) => void warnings.push(warning);
beforeEach(async () => {
  server = await startScriptedServer();
  warnings.length = 0;
  process.on('warning', warned);
});
afterEach(async () => {
  process.off('warning', warned);
  await server.close();
});

it('many calls share a signal without a warning, and all end with it', async () => {
  const client = clientIn(realWorld, { url: server.url, token: 't', retryBudget: retryBudget() });
  const abort = new AbortController();
  const { signal } = abort;
  const arrived = Promise.withResolvers<void>();
  let count = 0;
  server.script(
    ...Array.from({ length: CALLS }, () => () => {
      count += 1;
      if (count === CALLS) arrived.resolve();
    }),
  );
  server.scriptOthers(...Array.from({ length: CALLS }, () => stalls));

  const calls = Array.from({ length: CALLS }, () => [
    client.createExportJob(PARAMS, { signal }).catch(({ code }) => code),
    client.waitForJob('j', { signal }).catch(({ code }) => code),
  ]).flat();
  await arrived.promise;
  const listeners = getEventListeners(signal, 'abort').length;
  abort.abort();
  const codes = await Promise.all(calls);

  expect(listeners).toBe(1);
  expect(codes).toEqual(calls.map(() => 'aborted'));
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(warnings).toEqual([]);
});

it('the last one that waits no more takes the listener along', () => {
  const { signal } = new AbortController();

  const forgetFirst = onAbort(signal, () => {});
  const forgetSecond = onAbort(signal, () => {});
  forgetFirst();
  forgetFirst();
  const withOne = getEventListeners(signal, 'abort').length;
  forgetSecond();

  expect([withOne, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
});

it('who was taken back by another during the abort is not called', () => {
  const abort = new AbortController();
  const heard: string[] = [];
  onAbort(abort.signal, () => {
    heard.push('first');
    forgetSecond();
  });
  const forgetSecond = onAbort(abort.signal, () => void heard.push('second'));
  onAbort(abort.signal, () => void heard.push('third'));

  abort.abort();

  expect(heard).toEqual(['first', 'third']);
});

it('the same function may wait twice', () => {
  const abort = new AbortController();
  let heard = 0;
  const hear = () => {
    heard += 1;
  };
  onAbort(abort.signal, hear);
  onAbort(abort.signal, hear)();

  abort.abort();

  expect(heard).toBe(1);
});
