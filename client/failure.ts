// From the end of a call to the error that is thrown: what the attempts prove, and a sentence that says
// what happened and what to do. "Unknown" is sticky: a later refusal does not take back that an earlier
// attempt may have been executed.

import type { FailedCall } from '#client/call.ts';
import { NoAnswerError, ProblemError, StoppedError } from '#client/errors.ts';
import type { JobReference } from '#client/operation.ts';
import { type AttemptOutcome, type Effect, isTemporary, type Outcome } from '#client/outcome.ts';

export interface FailureFacts {
  readonly effect: Effect;
  readonly idempotencyKey?: string;
  /** Attempts that this call knows nothing of may have been made for the intent. */
  readonly sentBefore?: boolean;
  /** What a last look-up said. */
  readonly settled?: { readonly outcome: Outcome; readonly job?: JobReference };
  /** For messages: our clock, milliseconds since the epoch. */
  readonly wallMs: number;
}

/** A clock difference worth a sentence, milliseconds: Date has whole seconds, and the way takes some. */
const SKEW_MS_MIN = 3_000;

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
  if (last === undefined) {
    const what = 'The deadline was over before anything was sent.';
    return new StoppedError('deadline-passed', what + hint, common);
  }
  if (last.kind === 'problem' && !isTemporary(last)) {
    const withEtag = last.etag === undefined ? common : { ...common, etag: last.etag };
    return new ProblemError(last.problem, withEtag, hint + skewHint(last, facts.wallMs));
  }
  const message = `${describe(last)} ${endOf(end)}${hint}${skewHint(last, facts.wallMs)}`;
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
      return last.why === 'redirect'
        ? `A redirect (${last.status}) came instead of an answer; it was not followed. Check the URL.`
        : `An answer came (${last.status}) that is not the service's.`;
    case 'unsent':
      return `The service cannot be reached (${last.why}).`;
    case 'lost':
      return `No whole answer came (${last.why}).`;
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

function skewHint(last: AttemptOutcome<unknown>, wallMs: number): string {
  if (last.kind !== 'problem' || last.timing.serverTimeMs === undefined) return '';
  if (!/^(deadline-passed|idempotency-key-(in-future|expired))$/.test(last.problem.code)) return '';
  const aheadMs = wallMs - last.timing.serverTimeMs;
  if (Math.abs(aheadMs) < SKEW_MS_MIN) return '';
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  return ` The clock here is ${Math.round(Math.abs(aheadMs) / 1000)} s ${direction} the service's.`;
}
