// CORS as API Gateway does it for an HTTP API that has it configured: a preflight is answered without an
// invocation and without a token; what a function answers gets the configured headers in place of its own;
// the gateway's own short answers get none. Without configuration it does nothing at all.

import type { Cors } from '#infra/cors.ts';
import type { GatewayAnswer } from '#local/gateway/gateway-answer.ts';

export interface Asked {
  readonly method: string;
  readonly origin: string | undefined;
  /** `Access-Control-Request-Method`. */
  readonly asksFor: string | undefined;
}

/** @returns undefined when it is no preflight, or CORS is not configured */
export function preflightAnswer(
  cors: Cors | false,
  { method, origin, asksFor }: Asked,
): GatewayAnswer | undefined {
  const isPreflight = method === 'OPTIONS' && asksFor !== undefined;
  if (cors === false || !isPreflight || origin === undefined) return undefined;
  const allowed = allowedOrigin(cors, origin);
  const headers: Record<string, string> = allowed
    ? {
        'access-control-allow-origin': allowed,
        'access-control-allow-methods': cors.allowedMethods.join(','),
        'access-control-allow-headers': cors.allowedHeaders.join(','),
        'access-control-max-age': String(cors.maxAge),
      }
    : {};
  return { status: 204, headers, cookies: [], body: Buffer.alloc(0) };
}

/** @param answer of a function */
export function withCors(
  cors: Cors | false,
  origin: string | undefined,
  answer: GatewayAnswer,
): GatewayAnswer {
  if (cors === false) return answer;
  const own = Object.entries(answer.headers).filter(
    ([name]) => !name.startsWith('access-control-'),
  );
  const allowed = origin === undefined ? undefined : allowedOrigin(cors, origin);
  const added: Record<string, string> = allowed
    ? {
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': cors.exposedResponseHeaders.join(','),
      }
    : {};
  return { ...answer, headers: { ...Object.fromEntries(own), ...added } };
}

function allowedOrigin({ allowedOrigins }: Cors, origin: string): string | undefined {
  if (allowedOrigins.includes('*')) return '*';
  return allowedOrigins.includes(origin) ? origin : undefined;
}
