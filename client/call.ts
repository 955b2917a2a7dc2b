// One call: attempts of the same bytes until one settles it or `decide` says stop. Retries happen in
// this loop and in no other layer of the client. Promises: every attempt lies within the call's span;
// whatever ends it, no timer, listener or connection is left over. It returns, it does not throw.

import { type AttemptReport, attemptReport } from '#client/attempt-report.ts';
import { openSpan, race, type Span, sleep, TimeIsUp } from '#client/deadline.ts';
import { ATTEMPTS_MAX, decide, type StopReason } from '#client/decide.ts';
import { type AttemptOutcome, type Effect, isTemporary } from '#client/outcome.ts';
import type { RetryBudget } from '#client/retry-budget.ts';
import { sendAttempt, type WireRequest } from '#client/send-attempt.ts';
import type { World } from '#client/world.ts';
import { HEADERS } from '#contract/headers.ts';
import { REQUEST_TIMEOUT_MS_MAX } from '#contract/limits.ts';

/** One attempt, milliseconds: the service takes at most 8 s for it, the rest is the way there and back. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

export interface CallContext {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Asked before each attempt, so that a token may be renewed during a call. */
  readonly token: () => string | PromiseLike<string>;
  readonly world: World;
  readonly budgetOf: (origin: string) => RetryBudget;
}

export interface CallRequest<T> extends Omit<WireRequest<T>, 'url'> {
  readonly path: string;
  readonly effect: Effect;
  /** @default true */
  readonly repeatIsSafe?: boolean;
  /** @default 5 */
  readonly attemptsMax?: number;
  /** @default 10 s */
  readonly attemptTimeoutMs?: number;
  /** Sent as X-Request-Deadline, the same on every attempt; milliseconds since the epoch. */
  readonly deadlineEpochMs?: number;
}

export interface CallTime {
  readonly span: Span;
  /** When attempts must have ended, if before the span's end. Monotonic milliseconds. */
  readonly attemptsEndMs?: number;
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
}

export type CallEnd<T> =
  | { readonly kind: 'success'; readonly value: T; readonly attempts: readonly AttemptReport[] }
  | FailedCall;

export interface FailedCall {
  readonly kind: 'failed';
  readonly why: StopReason | 'aborted' | 'callback-failed';
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
  const url = context.baseUrl + request.path;
  const budget = context.budgetOf(new URL(url).origin);
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
      token = await race(context.token(), span.signal);
    } catch (error) {
      return span.signal.aborted ? failed('no-time') : failed('callback-failed', error);
    }
    const startMs = world.monotonicMs();
    if (startMs >= attemptsEndMs || span.signal.aborted) return failed('no-time');

    const requestId = `${callId}-${attempt}`;
    const attemptMs = Math.min(
      attemptsEndMs - startMs,
      request.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
    );
    const attemptSpan = openSpan(world, startMs + attemptMs, span.signal);
    const outcome = await sendAttempt(
      {
        ...request,
        url,
        headers: {
          ...request.headers,
          authorization: `Bearer ${token}`,
          ...timeHeaders(attempt, attemptMs, request.deadlineEpochMs),
          [HEADERS.requestId]: requestId,
        },
      },
      world,
      attemptSpan.signal,
    );
    attemptSpan.close();
    last = outcome;
    const nowMs = world.monotonicMs();
    if (outcome.kind === 'success' || (outcome.kind === 'problem' && !isTemporary(outcome))) {
      budget.putBack();
    }
    const decision = decide(
      attempt,
      outcome,
      {
        repeatIsSafe: request.repeatIsSafe ?? true,
        attemptsMax: request.attemptsMax ?? ATTEMPTS_MAX,
        attemptsEndMs,
        ...(request.deadlineEpochMs !== undefined && { deadlineEpochMs: request.deadlineEpochMs }),
        budgetAllows: budget.allows(),
      },
      world.random(),
      nowMs,
    );
    const sent = { attempt, requestId, tookMs: nowMs - startMs };
    const waitMs = decision.kind === 'retry' ? decision.waitMs : undefined;
    const report = attemptReport(sent, outcome, request.effect, waitMs);
    attempts.push(report);
    try {
      onAttempt?.(report);
    } catch (error) {
      return failed('callback-failed', error);
    }
    if (outcome.kind === 'success') return { kind: 'success', value: outcome.value, attempts };
    if (decision.kind === 'stop') return failed(decision.why);
    budget.take();
    try {
      await sleep(world, decision.waitMs, span.signal);
    } catch {
      return failed('no-time');
    }
  }
}

/** Ended by the caller's signal, not by the clock. */
function isAborted({ signal }: Span): boolean {
  return signal.aborted && !(signal.reason instanceof TimeIsUp);
}

function timeHeaders(
  attempt: number,
  attemptMs: number,
  deadlineEpochMs: number | undefined,
): Record<string, string> {
  const timeoutMs = Math.max(1, Math.min(REQUEST_TIMEOUT_MS_MAX, Math.floor(attemptMs)));
  return {
    [HEADERS.requestAttempt]: `${attempt}`,
    [HEADERS.requestTimeoutMs]: `${timeoutMs}`,
    ...(deadlineEpochMs !== undefined && {
      [HEADERS.requestDeadline]: new Date(deadlineEpochMs).toISOString(),
    }),
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
