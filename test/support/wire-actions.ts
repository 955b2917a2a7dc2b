// What a rule of the wire proxy can do with a request. Three moments: before DynamoDB has it, when
// DynamoDB has applied it, and while the answer travels. Each action is a few lines over `Exchange`;
// a test may write its own. Waiting is by gates, never by time, except where time is the fault.

import { setTimeout as pause } from 'node:timers/promises';
import type { Action, Exchange } from '#test/support/wire-proxy.ts';
import type { WireRequest } from '#test/support/wire-request.ts';
import type { Reply } from '#test/support/wire-upstream.ts';

/** A place where requests wait until a test lets them go on. Open once, open for ever. */
export interface Gate {
  /** Settles when the first request waits here. */
  readonly reached: Promise<WireRequest>;
  open(): void;
}

interface WaitingGate extends Gate {
  pass(exchange: Exchange): Promise<void>;
}

export function gate(): Gate {
  const reached = Promise.withResolvers<WireRequest>();
  const opened = Promise.withResolvers<void>();
  const waiting: WaitingGate = {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass(exchange) {
      reached.resolve(exchange.request);
      return exchange.until(opened.promise);
    },
  };
  return waiting;
}

const passGate = (at: Gate, exchange: Exchange) => (at as WaitingGate).pass(exchange);

// ---- before DynamoDB has it -------------------------------------------------------------------

/** TCP reset; DynamoDB never sees the request. */
export const reset = (): Action => (exchange) => exchange.reset();

/** No answer ever, and DynamoDB never sees the request. */
export const blackhole = (): Action => (exchange) => exchange.until(new Promise<void>(() => {}));

/** DynamoDB sees half of the request, then both connections break. */
export const half = (): Action => async (exchange) => {
  await exchange.forwardHalf();
  exchange.reset();
};

/** The request waits `ms` before it goes on. The answer goes to the caller if it still is there. */
export const delay =
  (ms: number): Action =>
  async (exchange) => {
    await exchange.until(pause(ms));
    exchange.reply(await exchange.forward());
  };

/** The request waits at the gate, also after its caller has gone: a write that lands late. */
export const holdRequest =
  (at: Gate): Action =>
  async (exchange) => {
    await passGate(at, exchange);
    exchange.reply(await exchange.forward());
  };

/** An answer of ours; DynamoDB never sees the request. */
export const canned =
  (reply: Reply): Action =>
  (exchange) =>
    exchange.reply(reply);

/** Something happens just before the request goes on (to `next`, else unharmed). */
export const beforeForward =
  (happens: (request: WireRequest) => Promise<unknown> | unknown, next = pass()): Action =>
  async (exchange) => {
    await exchange.until(Promise.resolve(happens(exchange.request)));
    await next(exchange);
  };

// ---- DynamoDB has applied it ------------------------------------------------------------------

export const pass = (): Action => async (exchange) => exchange.reply(await exchange.forward());

/** Something happens after DynamoDB has answered and before the caller hears of it. */
export const applied =
  (
    happens: (request: WireRequest) => Promise<unknown> | unknown,
    then: (exchange: Exchange, reply: Reply) => void = (exchange, reply) => exchange.reply(reply),
  ): Action =>
  async (exchange) => {
    const reply = await exchange.forward();
    await exchange.until(Promise.resolve(happens(exchange.request)));
    then(exchange, reply);
  };

/** The answer waits at the gate. */
export const holdReply =
  (at: Gate): Action =>
  async (exchange) => {
    const reply = await exchange.forward();
    await passGate(at, exchange);
    exchange.reply(reply);
  };

/** DynamoDB gets the same bytes twice, one after the other; the caller gets one of the answers. */
export const forwardTwice =
  (answerWith: 'first' | 'second' = 'first'): Action =>
  async (exchange) => {
    const first = await exchange.forward();
    const second = await exchange.forward();
    exchange.reply(answerWith === 'first' ? first : second);
  };

// ---- while the answer travels -----------------------------------------------------------------

/** Applied, then a TCP reset before any byte of the answer. */
export const dropReply = (): Action => async (exchange) => {
  await exchange.forward();
  exchange.reset();
};

/** Applied; the headers and the first `bytes` of the body arrive, then the connection ends. */
export const truncateReply =
  (bytes: number): Action =>
  async (exchange) => {
    const { response } = await beginReply(exchange, bytes);
    response.socket?.end();
  };

/** Applied; the headers and the first `bytes` of the body arrive, then nothing more. */
export const stallAfterHeaders =
  (bytes = 0): Action =>
  async (exchange) => {
    await beginReply(exchange, bytes);
    await exchange.until(new Promise<void>(() => {}));
  };

/** Applied; the body arrives in pieces of `bytes`, one every `everyMs`. */
export const drip =
  (bytes: number, everyMs: number): Action =>
  async (exchange) => {
    const { response, rest } = await beginReply(exchange, 0);
    for (let at = 0; at < rest.length && !response.destroyed; at += bytes) {
      await exchange.until(pause(everyMs));
      response.write(rest.subarray(at, at + bytes));
    }
    response.end();
  };

/** Applied; the caller is told something else. */
export const replaceReply =
  (replacement: Reply | ((reply: Reply) => Reply)): Action =>
  async (exchange) => {
    const reply = await exchange.forward();
    exchange.reply(typeof replacement === 'function' ? replacement(reply) : replacement);
  };

async function beginReply(exchange: Exchange, bytes: number) {
  const reply = await exchange.forward();
  const { response } = exchange;
  response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length });
  response.flushHeaders();
  const part = reply.body.subarray(0, bytes);
  if (part.length > 0) await new Promise<void>((sent) => response.write(part, () => sent()));
  return { response, rest: reply.body.subarray(bytes) };
}
