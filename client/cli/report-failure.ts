// From what a command failed with to an exit code and a sentence. The outcome decides, not the class: a
// file, an argument or a signal that ends a command says nothing of what had been sent before.

import { EXIT, type ExitCode, LocalError, messageOf, UsageError } from '#client/cli/exit-codes.ts';
import { StillOpen } from '#client/cli/journal.ts';
import type { Output } from '#client/cli/output.ts';
import {
  isNoAnswerError,
  isProblemError,
  isStoppedError,
  type NoAnswerError,
  type ProblemError,
  type StoppedError,
} from '#client/errors.ts';
import type { JobReference } from '#client/operation.ts';
import type { Outcome } from '#client/outcome.ts';

/** Whether the command was to have an effect; of a read the outcome says nothing. */
export type CommandKind = 'effect' | 'read' | 'after-create';

export interface FailureContext {
  readonly kind: CommandKind;
  /** What is known here beside the error, and why; it goes before the error's own outcome. */
  readonly known?: { readonly outcome: Outcome; readonly job?: JobReference; readonly why: string };
}

type CallError = ProblemError | NoAnswerError | StoppedError;

export function reportFailure(error: unknown, context: FailureContext, out: Output): ExitCode {
  if (isCallError(error)) return reportCall(error, context, out);
  const code = afterCreate(codeOfLocal(error) ?? EXIT.fault, context.kind);
  const message = code === EXIT.fault ? faultText(error) : messageOf(error);
  const name = error instanceof Error ? error.name : 'Error';
  out.failure({ error: name, message, exitCode: code }, message);
  return code;
}

export function faultText(error: unknown): string {
  return (
    `A fault of the command itself: ${messageOf(error)}\n` +
    'What it was doing may have been executed; export-once resume settles a create.'
  );
}

function reportCall(error: CallError, context: FailureContext, out: Output): ExitCode {
  const { kind, known } = context;
  const outcome = known?.outcome ?? error.outcome;
  const job = known?.job ?? error.job;
  const code = exitCodeOf(error, { kind, outcome });
  const { idempotencyKey, attempts } = error;
  const problem = 'problem' in error ? error.problem : undefined;
  const message = [messageIn(error), known?.why].filter(Boolean).join(' ');
  out.failure(
    {
      error: isStoppedError(error) ? error.code : (problem?.code ?? 'no-answer'),
      message,
      ...(kind === 'effect' && { outcome }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(job && { job }),
      ...(problem && { problem }),
      attempts,
      exitCode: code,
    },
    [
      message,
      ...(problem?.errors ?? []).map(({ pointer, detail }) => `  ${pointer || '/'} ${detail}`),
      ...(job && kind === 'effect' ? [`The job is ${job.id}.`] : []),
    ].join('\n'),
  );
  return code;
}

export function exitCodeOf(
  error: CallError,
  { kind, outcome = error.outcome }: { readonly kind: CommandKind; readonly outcome?: Outcome },
): ExitCode {
  const local = codeOfCause(error);
  if (kind !== 'effect') return afterCreate(local ?? codeOfRead(error), kind);
  switch (outcome) {
    case 'executed':
      return EXIT.executedOtherwise;
    case 'not-executed':
      return local ?? EXIT.notExecuted;
    case 'unknown':
      return EXIT.unknown;
  }
}

function codeOfRead(error: CallError): ExitCode {
  if (!isStoppedError(error)) return EXIT.noAnswer;
  if (error.code === 'aborted') return EXIT.interrupted;
  // Of a job that was never seen nobody knows that it goes on.
  const isSeen = error.code === 'deadline-passed' && error.job !== undefined;
  return isSeen ? EXIT.notInTime : EXIT.noAnswer;
}

/** Something here ended it: true only where nothing was executed, which the outcome says. */
function codeOfCause(error: CallError): ExitCode | undefined {
  if (!isStoppedError(error)) return undefined;
  return error.code === 'argument-invalid' ? EXIT.usage : codeOfLocal(error.cause);
}

function codeOfLocal(error: unknown): ExitCode | undefined {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof LocalError) return EXIT.local;
  return error instanceof StillOpen ? EXIT.unknown : undefined;
}

/** The job is there, whatever becomes of what was to follow. */
function afterCreate(code: ExitCode, kind: CommandKind): ExitCode {
  if (kind !== 'after-create') return code;
  return code === EXIT.notInTime || code === EXIT.fault ? code : EXIT.createdOnly;
}

function messageIn(error: CallError): string {
  const { cause } = error;
  return isStoppedError(error) && codeOfLocal(cause) !== undefined
    ? messageOf(cause)
    : error.message;
}

function isCallError(error: unknown): error is CallError {
  return isProblemError(error) || isNoAnswerError(error) || isStoppedError(error);
}
