// How a call fails: three classes. Each says whether the intent was executed, under which key, and what
// was tried. Guards recognise them by a mark, so that two copies of this package in one program agree.

import type { AttemptReport } from '#client/attempt-report.ts';
import type { JobReference } from '#client/operation.ts';
import type { Outcome } from '#client/outcome.ts';
import type { Problem } from '#client/problem.ts';

export interface ErrorFacts {
  /**
   * `executed`: it took effect, though this answer is not the one hoped for.
   * `not-executed`: it did not and, from the attempts made, will not.
   * `unknown`: it may have, or may still. Send it again under the same key, look it up, or abandon it.
   * A read proves nothing of any intent: `unknown`, or `executed` when it has seen the job.
   */
  readonly outcome: Outcome;
  /** Of operations with a key. */
  readonly idempotencyKey?: string;
  /** What was sent, in order. */
  readonly attempts: readonly AttemptReport[];
  /** The job that the intent made, where it is known. */
  readonly job?: JobReference;
  readonly cause?: unknown;
}

abstract class ExportOnceError extends Error {
  readonly outcome: Outcome;
  declare readonly idempotencyKey?: string;
  readonly attempts: readonly AttemptReport[];
  declare readonly job?: JobReference;

  constructor(message: string, { outcome, idempotencyKey, attempts, job, cause }: ErrorFacts) {
    super(message, cause === undefined ? {} : { cause });
    this.outcome = outcome;
    this.attempts = attempts;
    if (idempotencyKey !== undefined) this.idempotencyKey = idempotencyKey;
    if (job !== undefined) this.job = job;
  }
}

const PROBLEM = Symbol.for('export-once.ProblemError');
const NO_ANSWER = Symbol.for('export-once.NoAnswerError');
const STOPPED = Symbol.for('export-once.StoppedError');

/** The service answered, and its answer is a problem that a repeat would not change. */
export class ProblemError extends ExportOnceError {
  override readonly name = 'ProblemError';
  readonly [PROBLEM] = true;
  readonly problem: Problem;
  /** Of the article as it is now, after `precondition-failed`. */
  declare readonly etag?: string;

  constructor(problem: Problem, facts: ErrorFacts & { readonly etag?: string }, hint = '') {
    super(`${problem.code}: ${problem.detail}${hint}`, facts);
    this.problem = problem;
    if (facts.etag !== undefined) this.etag = facts.etag;
  }
}

/** No answer that counts: nobody was there, or the answer was lost, late, foreign, or "try again". */
export class NoAnswerError extends ExportOnceError {
  override readonly name = 'NoAnswerError';
  readonly [NO_ANSWER] = true;
  /** The last problem, when the service asked to be asked again. */
  declare readonly problem?: Problem;

  constructor(message: string, facts: ErrorFacts & { readonly problem?: Problem }) {
    super(message, facts);
    if (facts.problem !== undefined) this.problem = facts.problem;
  }
}

export type StopCode =
  /** `signal` was aborted. */
  | 'aborted'
  /** The deadline was over before anything was sent, or before what was waited for. */
  | 'deadline-passed'
  /** An argument is not one that can be sent. */
  | 'argument-invalid'
  /** A callback of yours threw or rejected; see `cause`. */
  | 'callback-failed'
  /** A file is not the one that the service described. */
  | 'file-damaged';

/** It ended on this side: aborted, out of time, a bad argument, a callback that failed. */
export class StoppedError extends ExportOnceError {
  override readonly name = 'StoppedError';
  readonly [STOPPED] = true;
  readonly code: StopCode;

  constructor(code: StopCode, message: string, facts: Partial<ErrorFacts> = {}) {
    super(message, { outcome: 'not-executed', attempts: [], ...facts });
    this.code = code;
  }
}

/** @example if (isProblemError(error) && error.problem.code === 'validation-failed') … */
export function isProblemError(error: unknown): error is ProblemError {
  return isMarked(error, PROBLEM);
}

export function isNoAnswerError(error: unknown): error is NoAnswerError {
  return isMarked(error, NO_ANSWER);
}

export function isStoppedError(error: unknown): error is StoppedError {
  return isMarked(error, STOPPED);
}

/**
 * Whether the failed call had its effect.
 * @returns undefined when the error is none of this package's
 */
export function outcomeOf(error: unknown): Outcome | undefined {
  return isProblemError(error) || isNoAnswerError(error) || isStoppedError(error)
    ? error.outcome
    : undefined;
}

function isMarked(error: unknown, mark: symbol): boolean {
  return typeof error === 'object' && error !== null && mark in error;
}
