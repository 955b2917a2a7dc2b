// What a route answers, before the edge adds what every answer carries.

export type HttpAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; bytes and text as they are, under the content-type among the headers. */
  readonly body?: Uint8Array | string | object;
  /** Base of Retry-After, milliseconds: the edge adds the jitter and the header. */
  readonly retryAfterMs?: number;
};

/** Between two looks at what is not finished yet, milliseconds. */
export const LOOK_AGAIN_MS = 1_000;

export function json(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** IMF-fixdate (RFC 9110, 5.6.7), rounded down to the second. */
export function imfFixdate(epochMs: number): string {
  return new Date(Math.floor(epochMs / 1000) * 1000).toUTCString();
}
