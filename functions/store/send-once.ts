// One command, one request, one time limit. Nothing leaves once maySend() says no: it is asked last,
// right in front of the socket, so that a process that was frozen while signing sends nothing on thaw.

import type { SendOptions } from '#idempotency/commit-port.ts';
import {
  classifyError,
  classifyOutput,
  NotSentError,
  type WriteAnswer,
} from '#store/classify-answer.ts';

export type WriteOptions = Pick<SendOptions, 'timeoutMs' | 'maySend'>;
export type SendWithSignal<Output> = (options: { abortSignal: AbortSignal }) => Promise<Output>;

/** @throws whatever the SDK throws, or its AbortError at the time limit */
export async function withTimeLimit<Output>(
  timeoutMs: number,
  send: SendWithSignal<Output>,
): Promise<Output> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(1, timeoutMs));
  try {
    return await send({ abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

type Command = { readonly middlewareStack: unknown };
export type SingleAnswer = Exclude<WriteAnswer, { kind: 'cancelled' }>;
export type TransactionAnswer = Exclude<WriteAnswer, { kind: 'condition-failed' }>;

/** Sends one put, update or delete, and says what its answer proves. */
export async function sendWrite<Output>(
  command: Command,
  options: WriteOptions,
  send: SendWithSignal<Output>,
): Promise<SingleAnswer & { readonly output?: Output }> {
  const answer = await sendGuarded(command, options, send, 1);
  return answer.kind === 'cancelled'
    ? { kind: 'unknown', why: 'a cancellation of what is no transaction' }
    : answer;
}

/** Sends one transaction, and says what its answer proves. @param actions how many it has */
export async function sendTransaction<Output>(
  command: Command,
  options: WriteOptions,
  send: SendWithSignal<Output>,
  actions: number,
): Promise<TransactionAnswer> {
  const answer = await sendGuarded(command, options, send, actions);
  return answer.kind === 'condition-failed'
    ? { kind: 'unknown', why: 'a failed condition of what is a transaction' }
    : answer;
}

/** The input of every write asks for ReturnConsumedCapacity: an answer without it proves nothing. */
async function sendGuarded<Output>(
  command: Command,
  { timeoutMs, maySend }: WriteOptions,
  send: SendWithSignal<Output>,
  actions: number,
): Promise<WriteAnswer & { readonly output?: Output }> {
  guard(command.middlewareStack as GuardableStack, maySend);
  try {
    const output = await withTimeLimit(timeoutMs, send);
    const answer = classifyOutput(output);
    return answer.kind === 'applied' ? { ...answer, output } : answer;
  } catch (error) {
    return classifyError(error, actions);
  }
}

type Next = (args: object) => Promise<unknown>;
/** The part of the SDK's middleware stack that is used: its own type differs for every command. */
type GuardableStack = {
  readonly add: (
    middleware: (next: Next) => Next,
    options: { step: 'deserialize'; priority: 'low'; name: string },
  ) => void;
};

/** Low priority in the deserialize step is the last place before the socket. */
function guard(stack: GuardableStack, maySend: () => boolean): void {
  stack.add(
    (next) => async (args) => {
      if (!maySend()) throw new NotSentError('the time for this write is used up');
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'maySend' },
  );
}
