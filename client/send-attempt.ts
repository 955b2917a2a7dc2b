// One request on the wire, and what came of it, as a value: it never throws. Must never follow a
// redirect, and never take anything for a success but a whole JSON answer of the shape asked for.

import { race, TimeIsUp } from '#client/deadline.ts';
import { fetchFailure } from '#client/fetch-failure.ts';
import { parseHttpDate } from '#client/http-date.ts';
import type { AttemptOutcome, Timing } from '#client/outcome.ts';
import type { Problem } from '#client/problem.ts';
import { retryAfterMs } from '#client/retry-after.ts';
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
}

export async function sendAttempt<T>(
  request: WireRequest<T>,
  world: World,
  signal: AbortSignal,
): Promise<AttemptOutcome<T>> {
  const { method, url, headers, body } = request;
  let response: Response | undefined;
  try {
    const init: RequestInit = { method, headers, redirect: 'manual', signal, cache: 'no-store' };
    response = await race(
      world.fetch(url, { ...init, ...(body !== undefined && { body }) }),
      signal,
    );
    if (isRedirect(response)) return foreign(response, 'redirect', world);
    const text = await readText(response, signal);
    return text === undefined
      ? foreign(response, 'not-the-service', world)
      : outcomeOf(request, response, text, world);
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

function outcomeOf<T>(
  request: WireRequest<T>,
  response: Response,
  text: string,
  world: World,
): AttemptOutcome<T> {
  const { status, headers } = response;
  const contentType = headers.get(HEADERS.contentType) ?? '';
  const json = /^application\/([a-z.-]+\+)?json\b/i.test(contentType) ? parse(text) : undefined;
  if (status < 400) {
    const value = request.accept({ status, headers, json });
    return value === undefined
      ? foreign(response, 'not-the-service', world)
      : { kind: 'success', status, value };
  }
  const isProblem = /^application\/problem\+json\b/i.test(contentType);
  const problem = isProblem ? acceptProblem(json, status, request.key) : undefined;
  if (problem === undefined) return foreign(response, 'not-the-service', world);
  const value = request.acceptProblem?.(problem);
  if (value !== undefined) return { kind: 'success', status, value };
  const etag = headers.get(HEADERS.etag);
  const timing = timingIn(headers, world);
  return { kind: 'problem', status, problem, timing, ...(etag !== null && { etag }) };
}

function foreign(
  response: Response,
  why: 'redirect' | 'not-the-service',
  world: World,
): AttemptOutcome<never> {
  return {
    kind: 'foreign',
    status: response.status,
    why,
    timing: timingIn(response.headers, world),
  };
}

/** A browser hides the status of a redirect that it was told not to follow. 304 is none. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

function timingIn(headers: Headers, world: World): Timing {
  const date = headers.get('date');
  const floorMs = retryAfterMs(headers.get(HEADERS.retryAfter), date, world.wallMs());
  const serverTimeMs = date === null ? undefined : parseHttpDate(date, world.wallMs());
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
