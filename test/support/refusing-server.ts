// A server on loopback that refuses every request with the same answer and counts them: what a layer sends
// when the one below it is there and says no.

import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RefusingServer {
  readonly url: string;
  /** Requests so far, `METHOD /path`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @param refusal what each request is answered; by method where they differ */
export async function startRefusingServer(
  refusal: (method: string) => Refusal,
): Promise<RefusingServer> {
  const requests: string[] = [];
  const server = http.createServer((incoming, response) => {
    const { method = '', url = '' } = incoming;
    requests.push(`${method} ${url.split('?')[0]}`);
    incoming.resume().once('end', () => {
      const { status, headers, body } = refusal(method);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
