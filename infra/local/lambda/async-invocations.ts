// Lambda's asynchronous invocations: accepted at once, run later, tried twice more when they fail,
// then written to the dead-letter file. At least once within one life of the stack: what waits in
// memory when it stops is lost, as the sweep is there to notice.

import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Invoke } from '#local/lambda/function-pool.ts';
import type { FunctionError } from '#local/lambda/host-messages.ts';
import type { FunctionDefinition } from '#local/stack/service-definition.ts';

/** Waits before the second and third try, milliseconds. Lambda takes 1 and 2 minutes. */
const RETRY_AFTER_MS = [300, 1_500];
/** Invocations of one function at the same time, at most: they share a process here. */
const CONCURRENCY_MAX = 4;

export interface DeadLetters {
  readonly file: string;
  add(letter: Readonly<Record<string, unknown>>): void;
}

/** One JSON object a line, readable with `tail` and `jq`. */
export function deadLetters(file: string): DeadLetters {
  return {
    file,
    add: (letter) =>
      appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...letter })}\n`),
  };
}

export interface AsyncInvocations {
  accept(definition: FunctionDefinition, event: unknown): void;
  stop(): void;
}

export function asyncInvocations(
  invoke: Invoke,
  letters: DeadLetters,
  say: (line: string) => void,
): AsyncInvocations {
  const lanes = new Map<string, { running: number; waiting: (() => Promise<void>)[] }>();
  const stopped = new AbortController();

  function laneOf(definition: FunctionDefinition) {
    const lane = lanes.get(definition.key) ?? { running: 0, waiting: [] };
    lanes.set(definition.key, lane);
    return lane;
  }

  async function run(definition: FunctionDefinition, event: unknown): Promise<void> {
    let error: FunctionError | undefined;
    for (let tries = 0; tries <= RETRY_AFTER_MS.length; tries += 1) {
      if (tries > 0) {
        const signal = stopped.signal;
        await pause(RETRY_AFTER_MS[tries - 1], undefined, { signal }).catch(() => {});
      }
      if (stopped.signal.aborted) return;
      const outcome = await invoke(definition, event);
      if (outcome.ok || stopped.signal.aborted) return;
      error = outcome.error;
    }
    letters.add({ function: definition.name, reason: 'retries-exhausted', error, event });
    say(`${definition.name} failed ${RETRY_AFTER_MS.length + 1} times: see ${letters.file}`);
  }

  function next(definition: FunctionDefinition): void {
    const lane = laneOf(definition);
    if (lane.running >= Math.min(definition.concurrency ?? CONCURRENCY_MAX, CONCURRENCY_MAX))
      return;
    const job = lane.waiting.shift();
    if (job === undefined || stopped.signal.aborted) return;
    lane.running += 1;
    void job().finally(() => {
      lane.running -= 1;
      next(definition);
    });
  }

  return {
    accept(definition, event) {
      laneOf(definition).waiting.push(() => run(definition, event));
      next(definition);
    },
    stop: () => stopped.abort(),
  };
}
