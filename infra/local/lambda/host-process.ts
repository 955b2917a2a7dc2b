// The parent's side of one function host. Promises: an invocation always settles (a result, the
// function's error, a crash when the process ends, or a timeout); a process that ends is started
// again; an invocation that comes meanwhile waits for it. Never runs an invocation twice.

import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FromHost, FunctionError, Outcome, ToHost } from '#local/lambda/host-messages.ts';
import { Sentence } from '#local/stack/sentence.ts';
import type { FunctionDefinition } from '#local/stack/service-definition.ts';

export interface HostOptions {
  /** Shown to people: `http`, `run-job`, … */
  readonly group: string;
  readonly functions: readonly FunctionDefinition[];
  readonly environment: NodeJS.ProcessEnv;
  /** File descriptor that takes what functions print. */
  readonly logFd: number;
  readonly say: (line: string) => void;
  /** Work nobody waits for: gives way to the other processes of this machine. */
  readonly background: boolean;
  readonly onPid: (pid: number) => void;
}

export interface HostProcess {
  invoke(definition: FunctionDefinition, event: unknown): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Lambda's limit for the answer of a synchronous invocation, bytes. */
const RESULT_BYTES_MAX = 6 * 1024 * 1024;
/** First and longest wait before a process that ended is started again, milliseconds. */
const RESTART_MS = { first: 50, longest: 5_000 };
const HOST_FILE = fileURLToPath(new URL('function-host.ts', import.meta.url));

/** @throws Sentence when a handler cannot be loaded */
export async function startHost(options: HostOptions): Promise<HostProcess> {
  const pending = new Map<string, (outcome: Outcome) => void>();
  let stopping = false;
  let child: ChildProcess;
  let ready = start();
  await ready;

  function start(): Promise<void> {
    if (stopping) return Promise.reject(new Sentence('The stack is stopping.'));
    const mine = fork(HOST_FILE, [], {
      env: options.environment,
      stdio: ['ignore', options.logFd, options.logFd, 'ipc'],
    });
    child = mine;
    if (mine.pid !== undefined) {
      if (options.background) setPriority(mine.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      options.onPid(mine.pid);
    }
    const loaded = Promise.withResolvers<void>();
    mine.on('message', (message: FromHost) => {
      if (message.kind === 'loaded') loaded.resolve();
      else if (message.kind === 'not-loaded') loaded.reject(new Sentence(message.sentence));
      else settle(message);
    });
    mine.on('error', () => {});
    mine.once('exit', (code, signal) => {
      loaded.reject(new Sentence(`The functions of ${options.group} ended while starting.`));
      for (const end of pending.values()) end({ ok: false, error: crashed(code, signal) });
      pending.clear();
    });
    send(mine, { kind: 'load', functions: options.functions });
    // Only a process that had loaded is started again: one that never loads is a mistake to show.
    loaded.promise.then(
      () => void once(mine, 'exit').then(() => restart(RESTART_MS.first)),
      () => {},
    );
    return loaded.promise;
  }

  async function restart(waitMs: number): Promise<void> {
    if (stopping) return;
    options.say(`functions ${options.group}: process ${child.pid} ended, starting another`);
    ready = pause(waitMs).then(start);
    await ready.then(
      () => options.say(`functions ${options.group}: pid ${child.pid}`),
      (failure) => {
        options.say(`functions ${options.group}: ${failure.message}`);
        return restart(Math.min(waitMs * 2, RESTART_MS.longest));
      },
    );
  }

  function settle(message: Extract<FromHost, { id: string }>): void {
    const end = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'error') end?.({ ok: false, error: message.error });
    else if (message.resultJson.length > RESULT_BYTES_MAX) end?.({ ok: false, error: TOO_LARGE });
    else end?.({ ok: true, result: JSON.parse(message.resultJson) });
  }

  return {
    invoke(definition, event) {
      const id = randomUUID();
      const deadlineMs = Date.now() + definition.timeoutMs;
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      // The process is not killed, as Lambda would: it serves other invocations too.
      const timer = setTimeout(() => {
        pending.delete(id);
        resolve({ ok: false, error: timedOut(id, definition.timeoutMs) });
      }, definition.timeoutMs);
      const eventJson = JSON.stringify(event);
      untilReady().then(() => {
        pending.set(id, resolve);
        send(child, { kind: 'invoke', id, name: definition.name, eventJson, deadlineMs });
      });
      return promise.finally(() => clearTimeout(timer));
    },
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      // Also ends a process that is frozen.
      child.kill('SIGKILL');
      await gone;
    },
  };

  async function untilReady(): Promise<void> {
    for (let current: Promise<void> | undefined; current !== ready; ) {
      current = ready;
      await current.catch(() => pause(RESTART_MS.first));
    }
  }
}

function send(child: ChildProcess, message: ToHost): void {
  // A process that has just ended: its exit settles what is pending.
  if (child.connected) child.send(message, () => {});
}

function once(child: ChildProcess, event: 'exit'): Promise<void> {
  return new Promise((done) => child.once(event, () => done()));
}

const TOO_LARGE: FunctionError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${RESULT_BYTES_MAX} bytes).`,
};

function crashed(code: number | null, signal: string | null): FunctionError {
  const how = signal === null ? `exit status ${code}` : `signal: ${signal}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited: ${how}` };
}

function timedOut(id: string, timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${id} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
  };
}
