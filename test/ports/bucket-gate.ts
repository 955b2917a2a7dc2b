// A loopback server in front of the local S3 server: it passes requests on, bytes and all, or gives an
// answer of its own where a case wants one. Signatures stay good: the host is passed on as it came.

import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type GateAnswer = { readonly status: number; readonly body?: string } | 'silence';
/** What to answer to a request by its method; undefined passes it on. */
export type GateRule = (method: string) => GateAnswer | undefined;

export type BucketGate = {
  readonly endpoint: string;
  readonly rule: (rule: GateRule) => void;
  /** Settles when the next request has come. */
  readonly nextAsked: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startBucketGate(upstream: string): Promise<BucketGate> {
  let asked = Promise.withResolvers<void>();
  let rule: GateRule = () => undefined;
  const server = http.createServer((incoming, response) => {
    const { method = '' } = incoming;
    asked.resolve();
    const answer = rule(method);
    if (answer === 'silence') return;
    if (!answer) {
      passOn(upstream, incoming, response);
      return;
    }
    incoming.resume().once('end', () => {
      response.writeHead(answer.status, { 'content-type': 'application/xml' });
      response.end(answer.body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    nextAsked() {
      asked = Promise.withResolvers();
      return asked.promise;
    },
    rule(next) {
      rule = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function passOn(
  upstream: string,
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const { method, headers } = incoming;
  const url = new URL(incoming.url ?? '/', upstream);
  const outgoing = http.request(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  outgoing.once('error', () => response.destroy());
  incoming.pipe(outgoing);
}

/** An error as S3 writes it. */
export function s3Error(status: number, code: string): GateAnswer {
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` };
}
