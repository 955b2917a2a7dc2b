// A proxy between the SDK and DynamoDB that writes down every request and breaks those that a rule
// names: the real SDK, the real sockets, the real DynamoDB Local, with faults in between.
// Without a rule it changes nothing. It listens on loopback only, and never retries by itself.
// An action that throws is a broken test: `close` throws it again.

import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  capacityOf,
  parseJson,
  parseWireRequest,
  type RecordedRequest,
  type WireRequest,
} from '#test/support/wire-request.ts';
import {
  type Reply,
  readAll,
  sendHalfUpstream,
  sendUpstream,
  type Upstream,
  UpstreamError,
} from '#test/support/wire-upstream.ts';

export interface Match {
  readonly target?: string;
  readonly table?: string;
  readonly token?: string;
  readonly where?: (request: WireRequest) => boolean;
  /** The nth request, from 1, among those that the rest matches since the rule was made. */
  readonly nth?: number | readonly number[];
}

/** One request under way, in the hands of an action. */
export interface Exchange {
  readonly request: WireRequest;
  /** Sends the whole request to DynamoDB, also when the caller is gone. Rejects when that fails. */
  forward(): Promise<Reply>;
  /** Sends the first half of the body to DynamoDB and breaks the connection. */
  forwardHalf(): Promise<void>;
  /** Answers the caller; a caller that is gone gets nothing. */
  reply(reply: Reply): void;
  /** For answers that are broken on purpose. */
  readonly response: http.ServerResponse;
  /** Ends the caller's connection with a TCP reset. */
  reset(): void;
  /** Waits for something; rejects as soon as the proxy closes, so that nothing hangs. */
  until<T>(something: Promise<T>): Promise<T>;
}

export type Action = (exchange: Exchange) => Promise<void> | void;

export interface Rule {
  /** How many requests it has taken so far: assert it, or the fault may never have bitten. */
  readonly fired: number;
  /** Settles when it takes its first request. */
  readonly firstFired: Promise<WireRequest>;
  remove(): void;
}

export interface WireProxy {
  readonly endpoint: string;
  /** All requests to DynamoDB in order of arrival; the stream's polls are left out. */
  readonly requests: readonly WireRequest[];
  /** The first rule that matches a request takes it. */
  rule(match: Match, action: Action): Rule;
  count(match?: Match): number;
  /** Removes all rules and forgets all requests; what is held stays held. */
  clear(): void;
  /** Resets every connection: what a caller finds after having been frozen. */
  dropConnections(): void;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** @param upstream endpoint of DynamoDB */
export async function startWireProxy(upstream: string): Promise<WireProxy> {
  const requests: RecordedRequest[] = [];
  const rules: { match: Match; action: Action; seen: number; take(request: WireRequest): void }[] =
    [];
  const failures: unknown[] = [];
  const sockets = new Set<Socket>();
  const agent = new http.Agent({ keepAlive: true });
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => {});
  let index = 0;
  let closed = false;

  const server = http.createServer(async (incoming, response) => {
    const bodyText = await readAll(incoming).then(String, () => undefined);
    if (bodyText === undefined) return;
    index += 1;
    const request = parseWireRequest(index, incoming.headers, bodyText);
    if (request.service !== 'DynamoDBStreams') requests.push(request);
    response.once('close', () => {
      if (!response.writableFinished) request.unanswered = true;
    });
    const action = takeRule(request) ?? passThrough;
    try {
      await action(openExchange(request, incoming, response));
    } catch (failure) {
      if (!closed && !(failure instanceof UpstreamError)) failures.push(failure);
      incoming.socket.resetAndDestroy();
    }
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function takeRule(request: WireRequest): Action | undefined {
    let taken: Action | undefined;
    for (const rule of rules) {
      if (!fits(rule.match, request)) continue;
      // Counted also when an earlier rule takes it: "the 2nd try" means the 2nd on the wire.
      rule.seen += 1;
      const nth = rule.match.nth;
      if (taken !== undefined || (nth !== undefined && ![nth].flat().includes(rule.seen))) continue;
      taken = rule.action;
      rule.take(request);
    }
    return taken;
  }

  function openExchange(
    request: RecordedRequest,
    incoming: http.IncomingMessage,
    response: http.ServerResponse,
  ): Exchange {
    const url = new URL(incoming.url ?? '/', upstream);
    const to: Upstream = { url, headers: incoming.headers, agent };
    const body = Buffer.from(request.bodyText);
    return {
      request,
      response,
      async forward() {
        request.forwarded += 1;
        const reply = await sendUpstream(to, body);
        request.status = reply.status;
        request.response = parseJson(reply.body.toString());
        request.capacityUnits = capacityOf(request.response);
        return reply;
      },
      forwardHalf: () => sendHalfUpstream(to, body),
      reply(reply) {
        if (response.destroyed) return;
        response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length });
        response.end(reply.body);
      },
      reset: () => void incoming.socket.resetAndDestroy(),
      until: (something) => Promise.race([something, closing.promise]),
    };
  }

  const listen = (port: number) =>
    new Promise<void>((ready, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail);
        ready();
      });
    });
  const dropConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const down = async () => {
    if (!server.listening) return;
    const gone = new Promise<void>((done) => server.close(() => done()));
    dropConnections();
    await gone;
  };

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    rule(match, action) {
      const first = Promise.withResolvers<WireRequest>();
      let fired = 0;
      const take = (request: WireRequest) => {
        fired += 1;
        first.resolve(request);
      };
      const entry = { match, action, seen: 0, take };
      rules.push(entry);
      return {
        get fired() {
          return fired;
        },
        firstFired: first.promise,
        remove: () => void rules.splice(rules.indexOf(entry), rules.includes(entry) ? 1 : 0),
      };
    },
    count: (match = {}) => requests.filter((request) => fits(match, request)).length,
    clear() {
      rules.length = 0;
      requests.length = 0;
    },
    dropConnections,
    down,
    up: () => listen(port),
    async close() {
      closed = true;
      closing.reject(new Error('the wire proxy is closed'));
      await down();
      agent.destroy();
      if (failures.length > 0) throw failures[0];
    },
  };
}

const passThrough: Action = async (exchange) => exchange.reply(await exchange.forward());

function fits(match: Match, request: WireRequest): boolean {
  return (
    (match.target === undefined || match.target === request.target) &&
    (match.table === undefined || request.tables.includes(match.table)) &&
    (match.token === undefined || match.token === request.token) &&
    (match.where === undefined || match.where(request))
  );
}
