// The last step out: an answer in the form that API Gateway takes (payload format 2.0).

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpAnswer } from '#http/answer.ts';

export function wireAnswer({
  status,
  headers,
  body,
}: HttpAnswer): APIGatewayProxyStructuredResultV2 {
  const encoded = headers?.['content-encoding'] !== undefined;
  const binary = body instanceof Uint8Array && (encoded || !isText(headers?.['content-type']));
  return {
    statusCode: status,
    headers: { ...headers },
    ...(body !== undefined && { body: bodyText(body, binary), isBase64Encoded: binary }),
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
