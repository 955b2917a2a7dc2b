// Logs of every function: one JSON object a line, bounded. Errors are named with a short stack; what an
// SDK or a parser says is not repeated, since it may quote what was sent or stored.

import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '#http/edge-parts.ts';

/** Characters of one text in a log line. */
const TEXT_CHARACTERS_MAX = 300;
/** Lines of a stack. */
const STACK_LINES_MAX = 8;

export function createLog(): Log {
  const logger = new Logger({ serviceName: 'export-once' });
  return {
    info: (message, fields) => logger.info(message, bounded(fields)),
    error: (message, fields, cause) =>
      logger.error(message, {
        ...bounded(fields),
        ...(cause !== undefined && { failure: describe(cause) }),
      }),
  };
}

function bounded(fields: Readonly<Record<string, string | number | boolean>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, TEXT_CHARACTERS_MAX) : value,
    ]),
  );
}

function describe(cause: unknown): Record<string, string> {
  if (!(cause instanceof Error)) return { name: typeof cause };
  // The stack repeats the message in front of its frames, and a message may look like a frame.
  const stack = (cause.stack ?? '').replace(cause.message, '');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: cause.name,
    ...(!mayQuote(cause) && { message: cause.message.slice(0, TEXT_CHARACTERS_MAX) }),
    stack: frames.slice(0, STACK_LINES_MAX).join('\n'),
    ...(cause.cause instanceof Error && { causedBy: cause.cause.name }),
  };
}

/** Do the words of this error repeat what was sent or stored? An SDK's do, and a parser's. */
function mayQuote(cause: Error): boolean {
  return '$metadata' in cause || cause instanceof SyntaxError || 'issues' in cause;
}
