// One attempt of a call, made ready: its headers with the time that is left, or why it cannot be sent.
// Pure but for the clock it reads. Must never show a token.

import type { CallContext, CallRequest } from '#client/call-request.ts';
import type { WireRequest } from '#client/send-attempt.ts';
import { headerTrouble, portTrouble, tokenTrouble } from '#client/sendable.ts';
import { HEADERS } from '#contract/headers.ts';
import { REQUEST_TIMEOUT_MS_MAX } from '#contract/limits.ts';

export interface AttemptFacts {
  readonly attempt: number;
  readonly requestId: string;
  /** What this attempt may take, milliseconds. */
  readonly attemptMs: number;
  readonly token: string;
}

export type PreparedAttempt<T> =
  | { readonly kind: 'ready'; readonly wire: WireRequest<T> }
  | { readonly kind: 'unsendable'; readonly culprit: string };

export function prepareAttempt<T>(
  request: CallRequest<T>,
  { attempt, requestId, attemptMs, token }: AttemptFacts,
  context: CallContext,
): PreparedAttempt<T> {
  const url = context.baseUrl + request.path;
  const timeoutMs = Math.max(1, Math.min(REQUEST_TIMEOUT_MS_MAX, Math.floor(attemptMs)));
  const deadlineEpochMs = deadlineThereMs(request, context);
  const headers = {
    ...request.headers,
    authorization: `Bearer ${token}`,
    [HEADERS.requestAttempt]: `${attempt}`,
    [HEADERS.requestTimeoutMs]: `${timeoutMs}`,
    ...(deadlineEpochMs !== undefined && {
      [HEADERS.requestDeadline]: new Date(deadlineEpochMs).toISOString(),
    }),
    [HEADERS.requestId]: requestId,
  };
  const culprit = portTrouble(url, context.world) ?? tokenTrouble(token) ?? headerTrouble(headers);
  return culprit === undefined
    ? { kind: 'ready', wire: { ...request, url, headers } }
    : { kind: 'unsendable', culprit };
}

/** The deadline by the service's clock, as far as answers have told it by now; since the epoch. */
export function deadlineThereMs(
  { deadlineEpochMs }: Pick<CallRequest<unknown>, 'deadlineEpochMs'>,
  { clock }: Pick<CallContext, 'clock'>,
): number | undefined {
  return deadlineEpochMs === undefined ? undefined : deadlineEpochMs + clock.correctionMs();
}

/** A token that comes from a file has the end of its line with it. */
export async function askToken({ token }: Pick<CallContext, 'token'>): Promise<string> {
  const given = await token();
  return typeof given === 'string' ? given.replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, '') : given;
}
