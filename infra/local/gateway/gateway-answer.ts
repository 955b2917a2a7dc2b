// The gateway's side of an answer: what a function returned becomes an HTTP response as API Gateway
// makes it, and the gateway's own short JSON answers. A result that is not understood is the
// function's fault: 500 in the gateway's shape, never a guess.

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export const UNAUTHORIZED = own(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
export const BAD_REQUEST = own(400, 'Bad Request');
export const NOT_FOUND = own(404, 'Not Found');
export const TOO_LARGE = own(413, 'Request Entity Too Large');
export const HEADERS_TOO_LARGE = own(431, 'Request Header Fields Too Large');
export const FUNCTION_FAILED = own(500, 'Internal Server Error');
export const UNAVAILABLE = own(503, 'Service Unavailable');

function own(status: number, message: string, headers = {}): GatewayAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/** @param result what the handler returned, after a trip through JSON */
export function answerOf(result: unknown): GatewayAnswer {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    // Format inference: no statusCode, so the result itself is the body.
    const body = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result ?? null));
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = result as Record<string, unknown>;
  const status = Number(statusCode);
  const text = body ?? '';
  if (!isStatus(status) || typeof text !== 'string') return FUNCTION_FAILED;
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...lowerCased(headers) },
    cookies: Array.isArray(cookies) ? cookies.map(String) : [],
    body: Buffer.from(text, isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599;
}

function lowerCased(headers: unknown): Record<string, string> {
  const sent = Object.entries(headers ?? {}).filter(([, value]) => (value ?? null) !== null);
  return Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
