// One request on the wire, and what came of it, as a value: it never throws. Must never follow a
// redirect, and never take anything for a success but a whole JSON answer of the shape asked for.

import { race, TimeIsUp } from '#client/deadline.ts';
import { fetchFailure } from '#client/fetch-failure.ts';
import { parseHttpDate } from '#client/http-date.ts';
import type { AttemptOutcome, Timing } from '#client/outcome.ts';
import type { Problem } from '#client/problem.ts';
import { retryAfterMs } from '#client/retry-after.ts';
import type { ServiceClock } from '#client/service-clock.ts';
import { acceptProblem } from '#client/shape.ts';
import type { World } from '#client/world.ts';
import { HEADERS } from '#contract/headers.ts';

/** Longest answer that is read, bytes: a page of a list or an article stays far below it. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export interface WireRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The key under which it is sent or that its path names. */
  readonly key?: string;
  /** @returns undefined when the answer is not one that this request can get */
  readonly accept: (answer: WireAnswer) => T | undefined;
  /** Takes a problem that is an answer to this request, such as "nothing recorded". */
  readonly acceptProblem?: (problem: Problem) => T | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON; undefined otherwise. */
  readonly json: unknown;
  readonly retryAfterMs?: number;
}

export interface AttemptContext {
  readonly world: World;
  /** Learns from every answer of the service. */
  readonly clock: ServiceClock;
}

export async function sendAttempt<T>(
  request: WireRequest<T>,
  context: AttemptContext,
  signal: AbortSignal,
): Promise<AttemptOutcome<T>> {
  const { method, url, headers, body } = request;
  const { world } = context;
  let response: Response | undefined;
  try {
    const init: RequestInit = { method, headers, redirect: 'manual', signal, cache: 'no-store' };
    const sentMs = world.wallMs();
    response = await race(
      world.fetch(url, { ...init, ...(body !== undefined && { body }) }),
      signal,
    );
    const came: Arrival = { response, sentMs, receivedMs: world.wallMs() };
    if (isRedirect(response)) return foreign(came, 'redirect', context);
    const text = await readText(response, signal);
    return (
      (text === undefined ? undefined : outcomeOf(request, { ...came, text }, context)) ??
      foreign(came, 'not-the-service', context)
    );
  } catch (error) {
    if (signal.aborted) {
      const why = signal.reason instanceof TimeIsUp ? 'timed-out' : 'aborted';
      return { kind: 'lost', why, cause: signal.reason };
    }
    if (response !== undefined) return { kind: 'lost', why: 'truncated', cause: error };
    return { ...fetchFailure(error), cause: error };
  } finally {
    // What was not read must not keep the connection.
    if (response?.body && !response.bodyUsed) response.body.cancel().catch(() => {});
  }
}

/** An answer, and our clock around it: milliseconds since the epoch. */
interface Arrival {
  readonly response: Response;
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** @returns undefined when the answer is not the service's */
function outcomeOf<T>(
  request: WireRequest<T>,
  { text, ...came }: Arrival & { readonly text: string },
  context: AttemptContext,
): AttemptOutcome<T> | undefined {
  const { status, headers } = came.response;
  const contentType = headers.get(HEADERS.contentType) ?? '';
  const json = /^application\/([a-z.-]+\+)?json\b/i.test(contentType) ? parse(text) : undefined;
  if (status < 400) {
    const timing = timingIn(came, context);
    const value = request.accept({ status, headers, json, ...timing });
    if (value === undefined) return undefined;
    learn(came, context);
    return { kind: 'success', status, value };
  }
  const isProblem = /^application\/problem\+json\b/i.test(contentType);
  const problem = isProblem ? acceptProblem(json, status, request.key) : undefined;
  if (problem === undefined) return undefined;
  learn(came, context, problem.serverTime);
  const value = request.acceptProblem?.(problem);
  if (value !== undefined) return { kind: 'success', status, value };
  const etag = headers.get(HEADERS.etag);
  const timing = timingIn(came, context);
  return { kind: 'problem', status, problem, timing, ...(etag !== null && { etag }) };
}

function foreign(
  came: Arrival,
  otherwise: 'redirect' | 'not-the-service',
  context: AttemptContext,
): AttemptOutcome<never> {
  const { status } = came.response;
  // The gateway judges tokens before the service sees them, and answers in words of its own.
  const why = status === 401 ? 'token-refused' : status === 403 ? 'forbidden' : otherwise;
  return { kind: 'foreign', status, why, timing: timingIn(came, context) };
}

/** A cache tells the time of long ago (RFC 9111, 5.1): its answer says nothing of a clock. */
function learn(
  { response: { headers }, ...ours }: Arrival,
  { clock }: AttemptContext,
  serverTime?: string,
): void {
  const date = headers.get('date');
  const thereMs =
    date === null ? Date.parse(serverTime ?? '') : parseHttpDate(date, ours.receivedMs);
  if (thereMs === undefined || Number.isNaN(thereMs) || headers.has('age')) return;
  clock.learn({ thereMs, ...ours });
}

/** A browser hides the status of a redirect that it was told not to follow. 304 is none. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

function timingIn({ response, receivedMs }: Arrival, { clock }: AttemptContext): Timing {
  const date = response.headers.get('date');
  const retryAfter = response.headers.get(HEADERS.retryAfter);
  const floorMs = retryAfterMs(retryAfter, date, receivedMs + clock.correctionMs());
  const serverTimeMs = date === null ? undefined : parseHttpDate(date, receivedMs);
  return {
    ...(floorMs !== undefined && { retryAfterMs: floorMs }),
    ...(serverTimeMs !== undefined && { serverTimeMs }),
  };
}

/** @returns undefined when it is longer than any answer of the service, or no UTF-8 */
async function readText({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await race(reader.read(), signal);
      if (done) break;
      bytes += value.byteLength;
      if (bytes > ANSWER_BYTES_MAX) return undefined;
      chunks.push(value);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  return decode(chunks, bytes);
}

function decode(chunks: readonly Uint8Array[], bytes: number): string | undefined {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
