// The far side of the wire proxy: sends bytes on to DynamoDB, whole or half, and reads the answer.

import http from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** DynamoDB itself is down or hung up: a state of the world, not a broken test. */
export class UpstreamError extends Error {}

export interface Upstream {
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly agent: http.Agent;
}

export function sendUpstream(to: Upstream, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(new UpstreamError('DynamoDB did not answer the proxy', { cause }));
    const outgoing = http.request(to.url, options(to, body), (answer) => {
      const {
        'content-length': _length,
        'transfer-encoding': _encoding,
        connection: _connection,
        'keep-alive': _keepAlive,
        ...headers
      } = answer.headers;
      readAll(answer).then(
        (bytes) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: headers as Record<string, string>,
            body: bytes,
          }),
        fail,
      );
    });
    outgoing.once('error', fail);
    outgoing.end(body);
  });
}

/** Announces the whole body, sends half of it and breaks the connection. */
export function sendHalfUpstream(to: Upstream, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = http.request(to.url, { ...options(to, body), agent: false });
    outgoing.once('error', () => resolve());
    outgoing.once('close', () => resolve());
    outgoing.write(body.subarray(0, body.length >> 1), () => outgoing.destroy());
  });
}

export async function readAll(stream: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function options(to: Upstream, body: Buffer): http.RequestOptions {
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = to.headers;
  return {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    agent: to.agent,
  };
}
