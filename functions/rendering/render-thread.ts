// Renders articles in a thread of its own, with a time and a heap limit for each, so that no article can
// stop the heartbeats of its job or take the process down. One thread serves article after article; beyond
// a limit, or when its caller gives up, it is ended, and the next article gets a new one. It never renders
// two articles at once, and after `close` no thread is left.

import { Worker } from 'node:worker_threads';
import type { RenderArticle, RenderOutcome } from '#rendering/render-article.ts';
import type { RenderInput } from '#rendering/render-input.ts';
import type { ThreadMessage } from '#rendering/thread-message.ts';

export type RenderThreadOptions = {
  /** Longest time one article may take, milliseconds; loading the thread is not counted. */
  readonly timeoutMs: number;
  /** Heap of the thread, megabytes. */
  readonly heapMb: number;
  /** The module that calls `answerRenderRequests`. */
  readonly entryUrl: URL;
};

export type RenderThread = {
  readonly renderArticle: RenderArticle;
  /** Ends the thread and whatever it is rendering; settles when it is gone. */
  readonly close: () => Promise<void>;
};

/** Longest time to load the thread's module, milliseconds: half a second on a busy machine, with room. */
const START_TIMEOUT_MS = 30_000;
/** Stack of the thread, megabytes: the tree walkers recurse, and 4 overflow at a few thousand levels. */
const STACK_MB = 32;

export function createRenderThread(options: RenderThreadOptions): RenderThread {
  let idle: Worker | undefined;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();

  // Should the thread die while it is idle, the next article gets a new one.
  const forget = (worker: Worker) => {
    if (idle === worker) idle = undefined;
  };

  const renderNext = async (input: RenderInput, caller: AbortSignal): Promise<RenderOutcome> => {
    const signal = AbortSignal.any([caller, closing.signal]);
    signal.throwIfAborted();
    const worker = idle ?? (await startWorker(options, signal, forget));
    idle = undefined;
    const answer = await answerOf(worker, { limitMs: options.timeoutMs, signal }, () => {
      worker.postMessage(input);
    });
    if (answer.kind === 'message' && answer.message.kind !== 'ready') {
      // Idle, it keeps no process alive.
      worker.unref();
      idle = worker;
      return answer.message;
    }
    await worker.terminate();
    signal.throwIfAborted();
    return unrenderable(answer);
  };

  return {
    renderArticle: (input, signal) => {
      const next = turn.then(() => renderNext(input, signal));
      turn = next.catch(() => undefined);
      return next;
    },
    close: async () => {
      if (!closed) closing.abort(new Error('the render thread is closed'));
      closed = true;
      await turn;
      await idle?.terminate();
      idle = undefined;
    },
  };
}

type Answer =
  | { readonly kind: 'message'; readonly message: ThreadMessage }
  | { readonly kind: 'gone'; readonly error: unknown }
  | { readonly kind: 'late' }
  | { readonly kind: 'aborted' };

async function startWorker(
  options: RenderThreadOptions,
  signal: AbortSignal,
  onGone: (worker: Worker) => void,
): Promise<Worker> {
  const worker = new Worker(options.entryUrl, {
    // The thread reads what strangers wrote: it gets no environment, so no credentials, and no arguments.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb, stackSizeMb: STACK_MB },
  });
  // Between two articles nobody else listens, and an unheard error would end the process.
  worker.on('error', () => undefined);
  worker.once('exit', () => onGone(worker));
  const answer = await answerOf(worker, { limitMs: START_TIMEOUT_MS, signal }, () => undefined);
  if (answer.kind === 'message') return worker;
  await worker.terminate();
  signal.throwIfAborted();
  const cause = answer.kind === 'gone' ? answer.error : answer.kind;
  throw new Error('the render thread could not be started', { cause });
}

/** What comes first: the thread's next message, its end, the time limit, or the abort. */
function answerOf(
  worker: Worker,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
  ask: () => void,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const onMessage = (message: ThreadMessage) => resolve({ kind: 'message', message });
  const onError = (error: unknown) => resolve({ kind: 'gone', error });
  const onExit = (code: number) => resolve({ kind: 'gone', error: `exit code ${code}` });
  const onAbort = () => resolve({ kind: 'aborted' });
  worker.once('message', onMessage).once('error', onError).once('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(resolve, limitMs, { kind: 'late' });
  worker.ref();
  ask();
  if (signal.aborted) onAbort();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  });
}

function unrenderable(answer: Answer): RenderOutcome {
  if (answer.kind === 'late') return { kind: 'unrenderable', reason: 'time-limit' };
  const error = answer.kind === 'gone' ? answer.error : answer.kind;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory-limit' : 'renderer-failed';
  return { kind: 'unrenderable', reason, detail: String(error) };
}
