// The HTTP functions in this process: the real pipeline, stores and SDK, called with the events that API
// Gateway sends. The address of DynamoDB (or of a wire proxy), the clock and the configuration are the test's.

import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { FilePort } from '#export-jobs/file-port.ts';
import { type WiringOptions, wire } from '#handlers/wiring.ts';
import { realWorld } from '#handlers/world.ts';
import type { World } from '#http/attempt.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { handlersOf } from '#test/support/routes.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';

export type Asked = {
  readonly subject?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** What the gateway puts for `$default`, and below a base path. */
  readonly rawPath?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, text as it is, bytes as base64. */
  readonly body?: unknown;
  /** The gateway's clock; by default the service's own. */
  readonly timeEpoch?: number;
  readonly remainingMs?: () => number;
  /** Payload format; by default 2.0, the one that is served. */
  readonly version?: string;
};

export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers by name
  readonly body: any;
};

export type Service = {
  readonly database: Database;
  readonly call: (routeKey: string, asked?: Asked) => Promise<Answered>;
  readonly create: (key: string, body: unknown, asked?: Asked) => Promise<Answered>;
  readonly close: () => void;
};

export type ServiceOptions = {
  readonly database?: Database;
  /** Where DynamoDB is reached: a wire proxy's endpoint. */
  readonly endpoint?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly world?: Partial<World>;
  readonly files?: Pick<FilePort, 'fileExists' | 'downloadUrl'>;
};

/** Every file is there. */
const FILES: NonNullable<ServiceOptions['files']> = {
  fileExists: async () => ({ kind: 'found', value: true }),
  downloadUrl: async (key) => `https://files.test/${key}?signature=s`,
};

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const database = options.database ?? (await freshDatabase());
  const world: World = { ...realWorld, ...options.world };
  const wiring = wire({
    environment: serviceEnvironment(database, options.environment),
    world,
    connection: connectionOf(database, options.endpoint),
    log: testLog,
    signals: noSignals,
  });
  const files = options.files ?? FILES;
  const handlers = handlersOf({ ...wiring, files }, wiring.edge, wiring.config);
  const call: Service['call'] = async (routeKey, asked = {}) => {
    const handler = handlers.get(routeKey);
    if (!handler) throw new Error(`no such route: ${routeKey}`);
    const event = gatewayEvent(routeKey, asked, asked.timeEpoch ?? world.nowMs());
    const result = await handler(event, lambdaContext(asked.remainingMs));
    return answered(result);
  };
  return {
    database,
    call,
    create: (key, body, asked = {}) =>
      call('POST /v1/export-jobs', {
        ...asked,
        body,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          ...asked.headers,
        },
      }),
    close: () => wiring.dynamoDb.destroy(),
  };
}

export function serviceEnvironment(
  database: Database,
  environment: Readonly<Record<string, string>> = {},
): NonNullable<WiringOptions['environment']> {
  return {
    STAGE: 'local',
    EXPORTS_BUCKET: 'exports',
    RUN_JOB_FUNCTION: 'run-job',
    // The suite runs both ways: the read before the write is a shortcut and nothing more.
    READ_FIRST: process.env.READ_FIRST ?? 'on',
    // Never used up, so that no fault of one test is felt by the next; its own tests say otherwise.
    STORE_RETRY_TOKENS_MAX: '1000000000',
    ...database.environment(),
    ...environment,
  };
}

export function connectionOf({ connection }: Database, endpoint = connection.endpoint) {
  return { ...connection, endpoint };
}

/** As API Gateway sends it, payload format 2.0. */
export function gatewayEvent(routeKey: string, asked: Asked, timeEpoch: number): object {
  const [method = 'GET', template = '/'] = routeKey.split(' ');
  const rawPath =
    asked.rawPath ?? template.replace(/\{(\w+)\+?\}/g, (_, name) => asked.path?.[name] ?? name);
  const { body } = asked;
  return {
    version: asked.version ?? '2.0',
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(asked.query).toString(),
    headers: { ...asked.headers },
    ...(asked.query && { queryStringParameters: asked.query }),
    ...(asked.path && { pathParameters: asked.path }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      stage: '$default',
      requestId: `gateway-${randomUUID()}`,
      routeKey,
      timeEpoch: Math.floor(timeEpoch),
      http: {
        method: asked.method ?? method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'test',
      },
      authorizer: {
        jwt: {
          claims: { iss: 'https://issuer.test', sub: asked.subject ?? 'alice' },
          scopes: null,
        },
      },
    },
    ...(body !== undefined && { body: bodyText(body) }),
    isBase64Encoded: body instanceof Uint8Array,
  };
}

function bodyText(body: unknown): string {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('base64');
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** A Lambda context with ten seconds left, or as the test says. */
export function lambdaContext(remainingMs?: () => number): Context {
  const startedMs = performance.now();
  return {
    awsRequestId: randomUUID(),
    functionName: 'test',
    getRemainingTimeInMillis: remainingMs ?? (() => 10_000 - (performance.now() - startedMs)),
  } as Context;
}

export function answered(result: {
  statusCode?: number | undefined;
  headers?: Record<string, unknown> | undefined;
  body?: string | undefined;
}): Answered {
  const text = result.body ?? '';
  const headers = Object.fromEntries(
    Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const isJson = /json/.test(headers['content-type'] ?? '');
  return {
    status: result.statusCode ?? 0,
    headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}
