// One call: attempts of the same bytes until one settles it or `decide` says stop. Retries happen in
// this loop and in no other layer of the client. Promises: every attempt lies within the call's span;
// whatever ends it, no timer, listener or connection is left over. It returns, it does not throw.

import { type AttemptReport, attemptReport } from '#client/attempt-report.ts';
import type { CallSpan } from '#client/call-options.ts';
import type { CallContext, CallRequest } from '#client/call-request.ts';
import { openSpan, race, type Span, sleep, TimeIsUp } from '#client/deadline.ts';
import { ATTEMPTS_MAX, decide, type StopReason } from '#client/decide.ts';
import { type AttemptOutcome, isTemporary } from '#client/outcome.ts';
import { askToken, deadlineThereMs, prepareAttempt } from '#client/prepare-attempt.ts';
import { tokenEndMs } from '#client/refused-token.ts';
import { sendAttempt } from '#client/send-attempt.ts';
import type { ServiceClock } from '#client/service-clock.ts';

/** One attempt, milliseconds: the service takes at most 8 s for it, the rest is the way there and back. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

export interface CallTime {
  readonly span: CallSpan;
  /** When attempts must have ended, if before the span's end. Monotonic milliseconds. */
  readonly attemptsEndMs?: number;
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
}

export type CallEnd<T> =
  | { readonly kind: 'success'; readonly value: T; readonly attempts: readonly AttemptReport[] }
  | FailedCall;

export interface FailedCall {
  readonly kind: 'failed';
  readonly why: StopReason | 'aborted' | 'callback-failed' | 'unsendable';
  /** A sentence about what cannot be sent. */
  readonly culprit?: string;
  /** By itself, when the last attempt was refused for its token; milliseconds since the epoch. */
  readonly tokenEndMs?: number;
  /** Absent: nothing was sent. */
  readonly last?: AttemptOutcome<unknown>;
  readonly attempts: readonly AttemptReport[];
  readonly cause?: unknown;
}

export async function call<T>(
  request: CallRequest<T>,
  { span, attemptsEndMs = span.endMs, onAttempt }: CallTime,
  context: CallContext,
): Promise<CallEnd<T>> {
  const { world } = context;
  const budget = context.budgetOf(new URL(context.baseUrl).origin);
  const callId = hex(world.randomBytes(8));
  const attempts: AttemptReport[] = [];
  let last: AttemptOutcome<unknown> | undefined;
  const failed = (why: FailedCall['why'], cause?: unknown): FailedCall => ({
    kind: 'failed',
    why: isAborted(span) ? 'aborted' : why,
    attempts,
    ...(last && { last }),
    ...(isAborted(span) ? { cause: span.signal.reason } : cause !== undefined && { cause }),
  });

  for (let attempt = 1; ; attempt += 1) {
    let token: string;
    try {
      token = await race(askToken(context), span.signal);
    } catch (error) {
      return span.signal.aborted ? failed('no-time') : failed('callback-failed', error);
    }
    const startMs = world.monotonicMs();
    if (startMs >= attemptsEndMs || span.signal.aborted) return failed('no-time');

    const attemptMs = Math.min(attemptsEndMs - startMs, attemptTimeoutMs(request, span, context));
    const requestId = `${callId}-${attempt}`;
    const prepared = prepareAttempt(request, { attempt, requestId, attemptMs, token }, context);
    if (prepared.kind === 'unsendable') {
      return { ...failed('unsendable'), culprit: prepared.culprit };
    }
    const attemptSpan = openSpan(world, startMs + attemptMs, span.signal);
    const outcome = await sendAttempt(prepared.wire, context, attemptSpan.signal);
    attemptSpan.close();
    last = outcome;
    const nowMs = world.monotonicMs();
    if (outcome.kind === 'success' || (outcome.kind === 'problem' && !isTemporary(outcome))) {
      budget.putBack();
    }
    const decision = decide(
      outcome,
      { ...stateOf(request, context), attemptsEndMs, budgetAllows: budget.allows() },
      { attempt, random: world.random(), nowMs },
    );
    const report = attemptReport(
      { attempt, requestId, tookMs: nowMs - startMs, ...offsetTold(context.clock) },
      outcome,
      {
        effect: request.effect,
        retryInMs: decision.kind === 'retry' ? decision.waitMs : undefined,
      },
    );
    attempts.push(report);
    try {
      onAttempt?.(report);
    } catch (error) {
      return failed('callback-failed', error);
    }
    if (outcome.kind === 'success') return { kind: 'success', value: outcome.value, attempts };
    if (decision.kind === 'stop') return { ...failed(decision.why), ...tokenEnd(outcome, token) };
    budget.take();
    try {
      await sleep(world, decision.waitMs, span.signal);
    } catch {
      return failed('no-time');
    }
  }
}

/** The service's time as far as it is known; milliseconds since the epoch. */
export function nowThereMs({ world, clock }: CallContext): number {
  return world.wallMs() + clock.correctionMs();
}

function attemptTimeoutMs(
  request: CallRequest<unknown>,
  span: CallSpan,
  context: CallContext,
): number {
  return (
    span.attemptTimeoutMs ??
    context.attemptTimeoutMs ??
    request.attemptTimeoutMs ??
    ATTEMPT_TIMEOUT_MS
  );
}

function stateOf(request: CallRequest<unknown>, context: CallContext) {
  const deadlineEpochMs = deadlineThereMs(request, context);
  return {
    repeatIsSafe: request.repeatIsSafe ?? true,
    attemptsMax: request.attemptsMax ?? ATTEMPTS_MAX,
    ...(deadlineEpochMs !== undefined && { deadlineEpochMs }),
  };
}

function offsetTold(clock: ServiceClock): Pick<AttemptReport, 'clockOffsetMs'> {
  const clockOffsetMs = clock.offsetToldMs();
  return clockOffsetMs === undefined ? {} : { clockOffsetMs };
}

function tokenEnd(outcome: AttemptOutcome<unknown>, token: string): Pick<FailedCall, 'tokenEndMs'> {
  const endMs = 'status' in outcome && outcome.status === 401 ? tokenEndMs(token) : undefined;
  return endMs === undefined ? {} : { tokenEndMs: endMs };
}

/** Ended by the caller's signal, not by the clock. */
function isAborted({ signal }: Span): boolean {
  return signal.aborted && !(signal.reason instanceof TimeIsUp);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
