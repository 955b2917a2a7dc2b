// From the end of a call to the error that is thrown: what the attempts prove, and a sentence that says
// what happened and what to do. "Unknown" is sticky: a later refusal does not take back that an earlier
// attempt may have been executed.

import type { FailedCall } from '#client/call.ts';
import { NoAnswerError, ProblemError, StoppedError } from '#client/errors.ts';
import type { JobReference } from '#client/operation.ts';
import {
  type AttemptOutcome,
  type Effect,
  type ForeignReason,
  isTemporary,
  type Outcome,
} from '#client/outcome.ts';
import { FORBIDDEN_WORDS, refusedTokenWords } from '#client/refused-token.ts';
import { clockHint } from '#client/service-clock.ts';

export interface FailureFacts {
  readonly effect: Effect;
  readonly idempotencyKey?: string;
  /** Attempts that this call knows nothing of may have been made for the intent. */
  readonly sentBefore?: boolean;
  /** What a last look-up said. */
  readonly settled?: { readonly outcome: Outcome; readonly job?: JobReference };
  /** For messages: the service's time as far as it is known, milliseconds since the epoch. */
  readonly nowMs: number;
}

/** What the attempts prove of the effect. */
export function outcomeOfAttempts(
  { attempts }: Pick<FailedCall, 'attempts'>,
  { effect, sentBefore }: Pick<FailureFacts, 'effect' | 'sentBefore'>,
): Outcome {
  if (effect === 'read') return 'unknown';
  // Whichever attempt heard it: an answer that is lost later takes nothing back.
  if (attempts.some(({ executed, intent }) => intent === 'committed' || executed === 'yes')) {
    return 'executed';
  }
  if (attempts.some(({ intent }) => intent === 'abandoned')) return 'not-executed';
  const isProven = !sentBefore && attempts.every(({ executed }) => executed === 'no');
  return isProven ? 'not-executed' : 'unknown';
}

export function errorOf(end: FailedCall, facts: FailureFacts): Error {
  const { last, attempts, why } = end;
  const outcome = facts.settled?.outcome ?? outcomeOfAttempts(end, facts);
  const problem = last?.kind === 'problem' ? last.problem : undefined;
  const job = facts.settled?.job ?? problem?.job;
  const common = {
    outcome,
    attempts,
    ...(facts.idempotencyKey !== undefined && { idempotencyKey: facts.idempotencyKey }),
    ...(job && { job }),
  };
  const hint = hintOf(outcome, facts);
  if (why === 'aborted' || why === 'callback-failed') {
    const what = why === 'aborted' ? 'The call was aborted.' : 'A callback of the call failed.';
    return new StoppedError(why, what + hint, { ...common, cause: end.cause });
  }
  if (why === 'unsendable') {
    return new StoppedError('argument-invalid', `${end.culprit}${hint}`, common);
  }
  if (last === undefined) {
    const what = 'The deadline was over before anything was sent.';
    return new StoppedError('deadline-passed', what + hint, common);
  }
  const words = callerHint(end, facts) + skewHint(end);
  if (last.kind === 'problem' && !isTemporary(last)) {
    const withEtag = last.etag === undefined ? common : { ...common, etag: last.etag };
    return new ProblemError(last.problem, withEtag, hint + words);
  }
  const message = `${describe(last)} ${endOf(end)}${hint}${words}`;
  const cause = 'cause' in last ? { cause: last.cause } : {};
  return new NoAnswerError(message, { ...common, ...cause, ...(problem && { problem }) });
}

function describe(last: AttemptOutcome<unknown>): string {
  switch (last.kind) {
    case 'success':
      return 'The service answered.';
    case 'problem':
      return `The service answered ${last.problem.code}.`;
    case 'foreign':
      return describeForeign(last.why, last.status);
    case 'unsent':
      if (last.why === 'unsendable') return 'fetch refused to send the request.';
      return `The service cannot be reached (${last.why}).`;
    case 'lost':
      return `No whole answer came (${last.why}).`;
  }
}

function describeForeign(why: ForeignReason, status: number): string {
  switch (why) {
    case 'redirect':
      return `A redirect (${status}) came instead of an answer; it was not followed. Check the URL.`;
    case 'not-the-service':
      return `An answer came (${status}) that is not the service's.`;
    case 'token-refused':
    case 'forbidden':
      return `The service did not let the call in (${status}).`;
  }
}

function endOf({ why, attempts }: FailedCall): string {
  const count =
    attempts.length === 1 ? '1 attempt was made' : `${attempts.length} attempts were made`;
  switch (why) {
    case 'retry-budget-empty':
      return `${count}; too many calls have failed lately for another.`;
    case 'retry-after-too-long':
      return `${count}; it asks for a longer pause than the deadline leaves.`;
    case 'no-time':
      return `${count} until the deadline.`;
    default:
      return `${count}.`;
  }
}

function hintOf(outcome: Outcome, { effect, idempotencyKey, settled }: FailureFacts): string {
  if (effect !== 'keyed' || idempotencyKey === undefined) return '';
  if (outcome === 'unknown') {
    return ` Whether it was executed is not known: send it again under the key ${idempotencyKey}.`;
  }
  if (outcome === 'not-executed') return ' Nothing was executed.';
  return settled ? ' A look-up found that it was executed.' : ' The intent was executed.';
}

/** What to do about a token, or about a URL that no operation is at. */
function callerHint({ last, tokenEndMs }: FailedCall, { nowMs }: FailureFacts): string {
  if (last?.kind === 'foreign' && last.why === 'forbidden') return ` ${FORBIDDEN_WORDS}`;
  if (last !== undefined && 'status' in last && last.status === 401) {
    return ` ${refusedTokenWords(tokenEndMs, nowMs)}`;
  }
  const code = last?.kind === 'problem' ? last.problem.code : undefined;
  return code === 'route-not-found' || code === 'method-not-allowed'
    ? ' Check the URL: it is the address of the service, with its base path if it has one.'
    : '';
}

/** Only where the clock may be the reason. */
function skewHint({ last, attempts }: FailedCall): string {
  if (last?.kind !== 'problem') return '';
  if (!/^(deadline-passed|idempotency-key-(in-future|expired))$/.test(last.problem.code)) return '';
  return clockHint(attempts.at(-1)?.clockOffsetMs);
}
