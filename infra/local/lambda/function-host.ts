// A child process that holds Lambda functions: loads their handlers at start, answers invocations
// over IPC, several at a time. Promises: a handler that cannot be loaded is told in one sentence;
// when the parent is gone, however it went, this process ends. It adds nothing to what handlers do.

import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type {
  FromHost,
  FunctionError,
  HostedFunction,
  ToHost,
} from '#local/lambda/host-messages.ts';

type Handler = (event: unknown, context: Context) => unknown;

const handlers = new Map<string, { readonly handler: Handler; readonly of: HostedFunction }>();

process.on('disconnect', () => process.exit(0));
// Ctrl-C, and SIGTERM to a whole process group, reach this process too: its parent decides when it
// ends, or it would be taken for a crash and started again.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('message', (message: ToHost) => {
  if (message.kind === 'load') void load(message.functions);
  else void invoke(message);
});

function tell(message: FromHost): void {
  // The parent may go at any moment; 'disconnect' ends this process then.
  process.send?.(message, () => {});
}

async function load(functions: readonly HostedFunction[]): Promise<void> {
  for (const of of functions) {
    try {
      if (!existsSync(of.file)) throw new Error(`${of.file} does not exist.`);
      const module = await import(pathToFileURL(of.file).href);
      const handler = module[of.exportName];
      if (typeof handler !== 'function') throw new Error(`${of.file} exports no ${of.exportName}.`);
      handlers.set(of.name, { handler, of });
    } catch (failure) {
      console.error(failure);
      const [line] = String(failure instanceof Error ? failure.message : failure).split('\n');
      tell({ kind: 'not-loaded', sentence: line ?? `${of.name} cannot be loaded.` });
      return;
    }
  }
  tell({ kind: 'loaded' });
}

async function invoke(message: Extract<ToHost, { kind: 'invoke' }>): Promise<void> {
  const { id } = message;
  const found = handlers.get(message.name);
  try {
    if (found === undefined) throw new Error(`${message.name} is not held by this host`);
    const context = makeContext(found.of, id, message.deadlineMs);
    const result = await found.handler(JSON.parse(message.eventJson), context);
    tell({ kind: 'result', id, resultJson: JSON.stringify(result ?? null) });
  } catch (failure) {
    console.error(failure);
    tell({ kind: 'error', id, error: describe(failure) });
  }
}

function describe(failure: unknown): FunctionError {
  if (!(failure instanceof Error)) {
    return { errorType: 'Error', errorMessage: String(failure) };
  }
  const trace = failure.stack?.split('\n') ?? [];
  return { errorType: failure.name, errorMessage: failure.message, trace };
}

function makeContext(of: HostedFunction, requestId: string, deadlineMs: number): Context {
  const unsupported = () => {
    throw new Error('Callback style is not served: return a promise.');
  };
  return {
    functionName: of.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${process.env.AWS_REGION}:000000000000:function:${of.name}`,
    memoryLimitInMB: String(of.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${of.name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
}
