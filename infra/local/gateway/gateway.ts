// API Gateway's HTTP API on one machine: routes from serverless.yml, a JWT authorizer that verifies,
// the limits and the short answers of the real one. It knows nothing of exports: what a function
// answers goes out as it is. A caller that goes away cancels nothing.

import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cors } from '#infra/cors.ts';
import { below } from '#local/gateway/base-path.ts';
import { type Asked, preflightAnswer, withCors } from '#local/gateway/cors.ts';
import {
  answerOf,
  BAD_REQUEST,
  FUNCTION_FAILED,
  type GatewayAnswer,
  HEADERS_TOO_LARGE,
  NOT_FOUND,
  TOO_LARGE,
  UNAUTHORIZED,
  UNAVAILABLE,
} from '#local/gateway/gateway-answer.ts';
import { type Claims, gatewayEvent } from '#local/gateway/gateway-event.ts';
import { verifyAuthorization } from '#local/gateway/jwt.ts';
import { type Match, routeTable } from '#local/gateway/route-table.ts';
import type { SigningKey } from '#local/gateway/signing-key.ts';
import type { Invoke } from '#local/lambda/function-pool.ts';
import { Sentence } from '#local/stack/sentence.ts';
import type { FunctionDefinition } from '#local/stack/service-definition.ts';

/** Request line and headers together, bytes. */
const HEADER_BYTES_MAX = 10_240;
const BODY_BYTES_MAX = 10 * 1024 * 1024;
/** Then the caller is answered and the function goes on. */
const INTEGRATION_LIMIT_MS = 30_000;

export interface Gateway {
  readonly url: string;
  readonly port: number;
  /** Until this is called every request is answered 503. */
  serve(invoke: Invoke): void;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  readonly functions: readonly FunctionDefinition[];
  readonly key: SigningKey;
  /** `` or `/exports`: everything is served below it. */
  readonly basePath: string;
  readonly cors: Cors | false;
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, functions, key, basePath, cors } = options;
  const match = routeTable(functions);
  let invoke: Invoke | undefined;

  function destinationOf(asked: Asked, path: string): Match | GatewayAnswer {
    const routed = below(basePath, path);
    if (routed === undefined) return NOT_FOUND;
    return preflightAnswer(cors, asked) ?? match(asked.method, routed) ?? NOT_FOUND;
  }

  async function answer(incoming: http.IncomingMessage, requestId: string): Promise<GatewayAnswer> {
    const receivedAtMs = Date.now();
    const { method = 'GET', url: target = '/', rawHeaders } = incoming;
    const body = await readBody(incoming);
    const origin = incoming.headers.origin;
    const path = target.split('?')[0] ?? '/';
    const refused = refusalOf({ method, target, rawHeaders, body, path });
    if (refused || body === 'too-large') return refused ?? TOO_LARGE;
    const asksFor = incoming.headers['access-control-request-method'];
    const found = destinationOf({ method, origin, asksFor }, path);
    if ('status' in found) return found;
    const caller = await callerOf(found, key, incoming.headers.authorization);
    if (caller === 'unknown') return UNAUTHORIZED;
    const sourceIp = incoming.socket.remoteAddress ?? '127.0.0.1';
    const event = gatewayEvent(
      { method, target, rawHeaders, body, sourceIp, port: bound.port, requestId, receivedAtMs },
      found,
      caller,
    );
    const answered = await answerBy(found.definition, event);
    return 'fromFunction' in answered ? withCors(cors, origin, answered.fromFunction) : answered;
  }

  async function answerBy(definition: FunctionDefinition, event: unknown) {
    const invoked = invoke && (await withinLimit(invoke(definition, event)));
    if (invoked === undefined || invoked === 'too-late') return UNAVAILABLE;
    return invoked.ok ? { fromFunction: answerOf(invoked.result) } : FUNCTION_FAILED;
  }

  const server = http.createServer(
    // Above the gateway's own limit, so that the answer is the gateway's and not Node's empty one.
    { maxHeaderSize: 64 * 1024, requestTimeout: 60_000 },
    (incoming, response) => {
      const requestId = randomUUID();
      answer(incoming, requestId)
        .catch((): GatewayAnswer => FUNCTION_FAILED)
        .then((result) => send({ incoming, response, requestId }, result));
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const own = error.code === 'HPE_HEADER_OVERFLOW' ? HEADERS_TOO_LARGE : BAD_REQUEST;
    socket.end(
      `HTTP/1.1 ${own.status} ${http.STATUS_CODES[own.status]}\r\ncontent-type: application/json\r\ncontent-length: ${own.body.length}\r\nconnection: close\r\n\r\n${own.body}`,
    );
  });
  await listen(server, options);
  const bound = server.address() as AddressInfo;
  const shownHost = bound.family === 'IPv6' ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${bound.port}${basePath}`,
    port: bound.port,
    serve(by) {
      invoke = by;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS).unref();
      }),
  };
}

/** Requests under way at a stop get this long, milliseconds. */
const CLOSE_GRACE_MS = 1_000;

function listen(server: http.Server, { host, port }: GatewayOptions): Promise<void> {
  return new Promise((ready, fail) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      const why: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is taken: stop what listens there, or set PORT to another one.`,
        EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
      };
      fail(
        new Sentence(
          why[failure.code ?? ''] ?? `HOST ${host} cannot be listened on (${failure.code}).`,
        ),
      );
    });
    server.listen(port, host, ready);
  });
}

interface Exchange {
  readonly incoming: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly requestId: string;
}

function send({ incoming, response, requestId }: Exchange, answer: GatewayAnswer): void {
  if (response.destroyed) return;
  const noBody = answer.status === 204 || answer.status === 304;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(!noBody && { 'content-length': answer.body.length }),
    ...(answer.cookies.length > 0 && { 'set-cookie': [...answer.cookies] }),
    // What was not read of a refused body must not be taken for the next request.
    ...(!incoming.complete && { connection: 'close' }),
    'apigw-requestid': requestId,
  });
  response.end(incoming.method === 'HEAD' || noBody ? undefined : answer.body);
}

interface Arrived {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer | 'too-large';
  readonly path: string;
}

/** What is refused whoever asks, before it is known what is asked for. */
function refusalOf({ method, target, rawHeaders, body, path }: Arrived): GatewayAnswer | undefined {
  if (headerBytes(method, target, rawHeaders) > HEADER_BYTES_MAX) return HEADERS_TOO_LARGE;
  if (body === 'too-large') return TOO_LARGE;
  return path.startsWith('/') && isDecodable(path) ? undefined : BAD_REQUEST;
}

/** @returns undefined where nobody is asked who they are */
async function callerOf(
  { route }: Match,
  key: SigningKey,
  authorization: string | undefined,
): Promise<Claims | undefined | 'unknown'> {
  if (!route.authorized) return undefined;
  return (await verifyAuthorization(key, authorization)) ?? 'unknown';
}

async function readBody(incoming: http.IncomingMessage): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Read to the end also when it is too much: a caller that is still sending would get a reset
  // instead of the answer.
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > BODY_BYTES_MAX ? 'too-large' : Buffer.concat(chunks);
}

async function withinLimit<T>(invocation: Promise<T>): Promise<T | 'too-late'> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'too-late'>((resolve) => {
    timer = setTimeout(() => resolve('too-late'), INTEGRATION_LIMIT_MS);
  });
  return Promise.race([invocation, limit]).finally(() => clearTimeout(timer));
}

function headerBytes(method: string, target: string, rawHeaders: readonly string[]): number {
  const separators = rawHeaders.length * 2;
  return (
    `${method} ${target} HTTP/1.1\r\n`.length +
    rawHeaders.reduce((sum, part) => sum + part.length, separators)
  );
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
