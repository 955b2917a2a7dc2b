// The event of API Gateway (payload format 2.0) as the routes read it. The principal comes from the
// authorizer's verified claims and from nowhere else. Reading never throws: what is malformed is absent.

import type { Context } from 'aws-lambda';
import { HEADERS } from '#contract/headers.ts';
import { REQUEST_ID_CHARACTERS_MAX } from '#contract/limits.ts';
import { ProblemError } from '#http/problem.ts';
import type { Principal } from '#idempotency/scope.ts';

export type HttpRequest = {
  readonly payloadVersion: string | undefined;
  readonly method: string;
  readonly routeKey: string;
  /** As asked for: decoded, and with the base path. */
  readonly path: string;
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
  /** One header, by its lower-case name; lines that were sent twice are joined by a comma. */
  readonly header: (name: string) => string | undefined;
  readonly rawBody: { readonly text: string | undefined; readonly base64: boolean };
  readonly claims: ReadonlyMap<string, string>;
  /** The caller's, if it is well formed, else the gateway's. */
  readonly requestId: string;
  /** When the gateway took the request in, epoch milliseconds by its clock. */
  readonly gatewayTimeMs: number | undefined;
  /** What Lambda leaves us, milliseconds. */
  readonly platformRemainingMs: () => number;
  /** What the log line of this request shall say beside the usual: filled in on the way. */
  readonly notes: LogFields;
  /** The intent that the caller named, once its key was read: filled in on the way. */
  readonly named: { idempotencyKey?: string };
};

/** Never a body, a token or a raw key. */
export type LogFields = Record<string, string | number | boolean>;

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._-]{1,${REQUEST_ID_CHARACTERS_MAX}}$`);
const GATEWAY_REQUEST_ID = new RegExp(`^[\\x21-\\x7e]{1,${REQUEST_ID_CHARACTERS_MAX}}$`);
/** Route keys are ours; one from a foreign event is cut to what a log line bears. */
const ROUTE_KEY_CHARACTERS_MAX = 80;

export function readRequest(event: unknown, context: Context): HttpRequest {
  const { version, routeKey, headers, pathParameters, queryStringParameters, ...rest } =
    members(event);
  const { http, timeEpoch, requestId, authorizer } = members(rest.requestContext);
  const sent = new Map<string, string>();
  for (const [name, value] of texts(headers)) sent.set(name.toLowerCase(), value);
  return {
    payloadVersion: text(version),
    method: text(members(http).method) ?? 'GET',
    routeKey: (text(routeKey) ?? '$default').slice(0, ROUTE_KEY_CHARACTERS_MAX),
    path: text(rest.rawPath) ?? '',
    pathParameters: texts(pathParameters),
    query: texts(queryStringParameters),
    header: (name) => sent.get(name),
    rawBody: { text: text(rest.body), base64: rest.isBase64Encoded === true },
    claims: texts(members(members(authorizer).jwt).claims),
    requestId: requestIdOf(sent.get(HEADERS.requestId), text(requestId), context),
    gatewayTimeMs: typeof timeEpoch === 'number' ? timeEpoch : undefined,
    platformRemainingMs: () => context.getRemainingTimeInMillis(),
    notes: {},
    named: {},
  };
}

/** It goes into a header and into logs: what could break out of either is not taken. */
function requestIdOf(asked = '', ofGateway = '', context: Context): string {
  if (REQUEST_ID.test(asked)) return asked;
  return GATEWAY_REQUEST_ID.test(ofGateway) ? ofGateway : context.awsRequestId;
}

/** @throws ProblemError unauthenticated: defence in depth, the gateway answers first */
export function principalOf({ claims }: HttpRequest): Principal {
  const issuer = claims.get('iss');
  const subject = claims.get('sub');
  // Lone surrogates have no UTF-8: two such subjects would be one principal.
  if (!issuer || !subject || !issuer.isWellFormed() || !subject.isWellFormed()) {
    throw new ProblemError('unauthenticated');
  }
  return { issuer, subject };
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): Map<string, string> {
  const read = new Map<string, string>();
  for (const [name, each] of Object.entries(members(value))) {
    if (typeof each === 'string') read.set(name, each);
  }
  return read;
}
