// One request for what is still missing of a file, from a URL that is signed: no token goes there.
// Promises: bytes reach the sink in order and once; a transfer that stalls is given up.

import { openSpan, race } from '#client/deadline.ts';
import { fetchFailure } from '#client/fetch-failure.ts';
import { retryAfterMs } from '#client/retry-after.ts';
import { portTrouble } from '#client/sendable.ts';
import type { ServiceClock } from '#client/service-clock.ts';
import type { World } from '#client/world.ts';
import { HEADERS } from '#contract/headers.ts';

/** No byte for this long is a transfer that will not go on, milliseconds. */
export const STALL_MS = 30_000;

export interface Sink {
  readonly bytesTotal: number;
  readonly bytesDone: () => number;
  readonly take: (bytes: Uint8Array) => Promise<void>;
  readonly sha256: () => string;
}

export type Part =
  | { readonly kind: 'whole' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'sink-failed'; readonly cause: unknown }
  | {
      readonly kind: 'broken';
      readonly why: string;
      readonly temporary: boolean;
      /** The file's server asks for less. */
      readonly throttled?: boolean;
      readonly retryAfterMs?: number;
      readonly cause?: unknown;
    };

export interface PartContext {
  readonly world: World;
  readonly clock: ServiceClock;
  readonly signal: AbortSignal;
}

/** @throws the signal's reason when it aborts */
export async function fetchPart(
  url: string,
  sink: Sink,
  { world, clock, signal }: PartContext,
): Promise<Part> {
  const blocked = portTrouble(url, world);
  if (blocked !== undefined) return { kind: 'broken', why: blocked, temporary: false };
  const from = sink.bytesDone();
  // An empty file has no range, and neither has one of which nothing is missing.
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
  const ownEnd = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const init: RequestInit = { headers, redirect: 'manual', signal: ownEnd.signal };
    const response = await unlessStalled(world.fetch(url, init), world, signal);
    const { status, body } = response;
    if (status !== 200 && status !== 206) {
      // Whatever becomes of its body: the status has told all.
      body?.cancel().catch(() => {});
      return refusal(response, world.wallMs() + clock.correctionMs());
    }
    if (status === 206 && !startsAt(response, from)) {
      return { kind: 'broken', why: 'another range', temporary: false };
    }
    // A server without ranges sends the beginning again.
    let skip = status === 206 ? 0 : from;
    reader = body?.getReader();
    for (;;) {
      const { done, value } = reader
        ? await unlessStalled(reader.read(), world, signal)
        : { done: true, value: undefined };
      if (done || value === undefined) break;
      const bytes = value.subarray(Math.min(skip, value.byteLength));
      skip -= value.byteLength - bytes.byteLength;
      if (sink.bytesDone() + bytes.byteLength > sink.bytesTotal) return { kind: 'too-long' };
      const failure = await sinkFailure(sink, bytes, signal);
      if (failure) return failure;
    }
    return sink.bytesDone() === sink.bytesTotal
      ? { kind: 'whole' }
      : { kind: 'broken', why: 'truncated', temporary: true };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const { why } = fetchFailure(cause);
    return { kind: 'broken', why, temporary: why !== 'tls' && why !== 'unsendable', cause };
  } finally {
    reader?.cancel().catch(() => {});
    ownEnd.abort();
  }
}

/** A URL that has expired is 403: the next one is fresh. */
function refusal({ status, headers }: Response, nowMs: number): Part {
  const floorMs = retryAfterMs(headers.get(HEADERS.retryAfter), headers.get('date'), nowMs);
  return {
    kind: 'broken',
    why: `status ${status}`,
    temporary: status === 403 || status === 408 || status === 429 || status >= 500,
    throttled: status === 429 || status === 503,
    ...(floorMs !== undefined && { retryAfterMs: floorMs }),
  };
}

async function sinkFailure(
  sink: Sink,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Part | undefined> {
  try {
    await race(sink.take(bytes), signal);
    return undefined;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    return { kind: 'sink-failed', cause };
  }
}

async function unlessStalled<T>(work: Promise<T>, world: World, signal: AbortSignal): Promise<T> {
  const span = openSpan(world, world.monotonicMs() + STALL_MS, signal);
  try {
    return await race(work, span.signal);
  } finally {
    span.close();
  }
}

function startsAt({ headers }: Response, from: number): boolean {
  return headers.get('content-range')?.startsWith(`bytes ${from}-`) ?? false;
}
