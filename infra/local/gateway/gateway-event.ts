// The event that an API Gateway HTTP API hands to a function, payload format 2.0, made from a real
// request: lower-cased headers with doubled lines joined by a comma, cookies apart, percent-decoded
// rawPath, base64 for what is not text, no body when there is none. Never invents an identity.

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Match } from '#local/gateway/route-table.ts';

export interface IncomingRequest {
  readonly method: string;
  /** As sent: path and query. */
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly port: number;
  readonly requestId: string;
  readonly receivedAtMs: number;
}

export type Claims = Readonly<Record<string, string>>;
export type GatewayEvent = Omit<APIGatewayProxyEventV2, 'requestContext'> & {
  requestContext: APIGatewayProxyEventV2['requestContext'] & {
    authorizer?: { jwt: { claims: Claims; scopes: null } };
  };
};

/** Between two hops only, so API Gateway keeps them. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'upgrade']);
const TEXT_TYPE = /^(text\/|application\/(json|javascript|xml|[^;\s]+\+(json|xml))\s*(;|$))/i;

export function gatewayEvent(
  request: IncomingRequest,
  match: Match,
  claims: Claims | undefined,
): GatewayEvent {
  const [rawTarget = '/', ...queryParts] = request.target.split('?');
  const rawQueryString = queryParts.join('?');
  const rawPath = decodeURIComponent(rawTarget);
  const { headers, cookies } = joinHeaders(request);
  const query = joinQuery(rawQueryString);
  const isText = TEXT_TYPE.test(headers['content-type'] ?? '');
  const domainName = headers.host?.replace(/:\d+$/, '') ?? 'localhost';
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query && { queryStringParameters: query }),
    ...(match.pathParameters && { pathParameters: match.pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey: match.routeKey,
      stage: '$default',
      time: commonLogTime(request.receivedAtMs),
      timeEpoch: request.receivedAtMs,
    },
    ...(request.body.length > 0 && {
      body: request.body.toString(isText ? 'utf8' : 'base64'),
    }),
    isBase64Encoded: request.body.length > 0 && !isText,
  };
}

function joinHeaders({ rawHeaders, sourceIp, port, body }: IncomingRequest) {
  // No prototype: a header may be called __proto__.
  const headers: Record<string, string> = Object.create(null);
  const cookies: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    const value = rawHeaders[at + 1] ?? '';
    if (HOP_BY_HOP.has(name)) continue;
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter(Boolean));
    else headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
  }
  const forwardedFor = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = forwardedFor ? `${forwardedFor}, ${sourceIp}` : sourceIp;
  headers['x-forwarded-port'] = String(port);
  headers['x-forwarded-proto'] = 'http';
  if (body.length > 0) headers['content-length'] = String(body.length);
  return { headers, cookies };
}

function joinQuery(rawQueryString: string): Record<string, string> | undefined {
  if (rawQueryString === '') return undefined;
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = query[name] === undefined ? value : `${query[name]},${value}`;
  }
  return query;
}

/** `12/Mar/2026:19:03:58 +0000` */
function commonLogTime(atMs: number): string {
  const [, day, month, year, time] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(atMs).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
