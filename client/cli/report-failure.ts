// From what a command failed with to an exit code and a sentence. The outcome decides, not the class.

import { EXIT, type ExitCode, LocalError, UsageError } from '#client/cli/exit-codes.ts';
import type { Output } from '#client/cli/output.ts';
import {
  isNoAnswerError,
  isProblemError,
  isStoppedError,
  type NoAnswerError,
  type ProblemError,
  type StoppedError,
} from '#client/errors.ts';

/** Whether the command was to have an effect; of a read the outcome says nothing. */
export type CommandKind = 'effect' | 'read';

export function reportFailure(error: unknown, kind: CommandKind, out: Output): ExitCode {
  if (error instanceof UsageError) return told(EXIT.usage, error, out);
  if (error instanceof LocalError) return told(EXIT.local, error, out);
  if (isStoppedError(error) && error.cause instanceof LocalError) {
    return told(EXIT.local, error.cause, out);
  }
  if (!isProblemError(error) && !isNoAnswerError(error) && !isStoppedError(error)) throw error;
  const code = exitCodeOf(error, kind);
  const { outcome, idempotencyKey, job } = error;
  const problem = 'problem' in error ? error.problem : undefined;
  out.failure(
    {
      error: isStoppedError(error) ? error.code : (problem?.code ?? 'no-answer'),
      message: error.message,
      ...(kind === 'effect' && { outcome }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(job && { job }),
      ...(problem && { problem }),
      attempts: error.attempts,
      exitCode: code,
    },
    [
      error.message,
      ...(problem?.errors ?? []).map(({ pointer, detail }) => `  ${pointer || '/'} ${detail}`),
      ...(job && kind === 'effect' ? [`The job is ${job.id}.`] : []),
    ].join('\n'),
  );
  return code;
}

export function exitCodeOf(
  error: ProblemError | NoAnswerError | StoppedError,
  kind: CommandKind,
): ExitCode {
  if (isStoppedError(error) && error.code === 'argument-invalid') return EXIT.usage;
  if (kind === 'read') {
    if (!isStoppedError(error)) return EXIT.noAnswer;
    if (error.code === 'aborted') return EXIT.interrupted;
    return error.code === 'deadline-passed' ? EXIT.notInTime : EXIT.noAnswer;
  }
  switch (error.outcome) {
    case 'executed':
      return EXIT.executedOtherwise;
    case 'not-executed':
      return EXIT.notExecuted;
    case 'unknown':
      return EXIT.unknown;
  }
}

function told(code: ExitCode, { name, message }: Error, out: Output): ExitCode {
  out.failure({ error: name, message, exitCode: code }, message);
  return code;
}
