// The last step out: what every answer carries, and the form that API Gateway takes.

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { HEADERS, HEADERS_EXPOSED } from '#contract/headers.ts';
import type { HttpAnswer } from '#http/answer.ts';
import type { HttpRequest } from '#http/request.ts';

export function wireAnswer(
  { status, headers, body }: HttpAnswer,
  request: HttpRequest,
  config: { readonly allowedOrigins: readonly string[] },
): APIGatewayProxyStructuredResultV2 {
  const encoded = headers?.['content-encoding'] !== undefined;
  const binary = body instanceof Uint8Array && (encoded || !isText(headers?.['content-type']));
  return {
    statusCode: status,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      [HEADERS.requestId]: request.requestId,
      ...corsHeaders(request, config.allowedOrigins),
      ...headers,
    },
    ...(body !== undefined && { body: bodyText(body, binary), isBase64Encoded: binary }),
  };
}

/** What a browser script of an allowed origin may read. */
export function corsHeaders(
  request: HttpRequest,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  const origin = request.header('origin');
  const any = allowedOrigins.includes('*');
  if (origin === undefined || !(any || allowedOrigins.includes(origin))) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': any ? '*' : origin,
    'access-control-expose-headers': HEADERS_EXPOSED.join(', '),
  };
}

function bodyText(body: Uint8Array | string | object, binary: boolean): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString(binary ? 'base64' : 'utf8');
  return JSON.stringify(body);
}

function isText(contentType: string | undefined): boolean {
  return contentType !== undefined && /^(text\/|application\/([a-z.-]+\+)?json)/.test(contentType);
}
