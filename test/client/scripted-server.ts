// A service on a loopback port that does with each create what a script says, attempt by attempt. It
// keeps what was committed as the real one would: one job a key, whatever becomes of the answer.

import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  operationAnswer,
  type PlainAnswer,
  problemAnswer,
  RECEIPT,
  receiptAnswer,
} from '#test/client/wire-answers.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Exchange {
  readonly received: Received;
  readonly response: http.ServerResponse;
  /** The job exists from now on. */
  readonly commit: () => void;
  readonly answer: (answer: PlainAnswer) => void;
  /** The connection ends with a TCP reset. */
  readonly reset: () => void;
  /** The connection ends as if the peer had finished. */
  readonly end: () => void;
}

export type Step = (exchange: Exchange) => void;

export interface ScriptedServer {
  readonly url: string;
  /** Creates, in order of arrival. */
  readonly creates: readonly Received[];
  /** Everything else, look-ups among it. */
  readonly others: readonly Received[];
  /** Keys under which a job was made. */
  readonly committed: ReadonlySet<string>;
  /** What happens with the creates to come; afterwards the service works. */
  readonly script: (...steps: Step[]) => void;
  /** What happens with the next requests of a kind that is no create. */
  readonly scriptOthers: (...steps: Step[]) => void;
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const creates: Received[] = [];
  const others: Received[] = [];
  const committed = new Set<string>();
  const sockets = new Set<Socket>();
  let steps: Step[] = [];
  let otherSteps: Step[] = [];
  const server = http.createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { method = '', url: path = '', headers } = incoming;
    const received = { method, path, headers, body };
    const isCreate = method === 'POST' && path === '/v1/export-jobs';
    (isCreate ? creates : others).push(received);
    const exchange: Exchange = {
      received,
      response,
      commit: () => void committed.add(keyOf(received)),
      answer: (answer) => {
        response.writeHead(answer.status, answer.headers);
        response.end(answer.body);
      },
      reset: () => void incoming.socket.resetAndDestroy(),
      end: () => void incoming.socket.end(),
    };
    const step = (isCreate ? steps : otherSteps).shift();
    (step ?? (isCreate ? works : lookedUp(committed)))(exchange);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const listen = (port: number) =>
    new Promise<void>((ready) => void server.listen(port, '127.0.0.1', ready));
  const down = async () => {
    const gone = new Promise<void>((done) => server.close(() => done()));
    for (const socket of sockets) socket.destroy();
    await gone;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    creates,
    others,
    committed,
    script: (...given) => {
      steps = given;
    },
    scriptOthers: (...given) => {
      otherSteps = given;
    },
    down,
    up: () => listen(port),
    close: async () => {
      if (server.listening) await down();
    },
  };
}

export function keyOf({ headers }: Received): string {
  return `${headers['idempotency-key']}`.replaceAll('"', '');
}

/** Commits, or replays. */
export const works: Step = ({ commit, answer }) => {
  commit();
  answer(receiptAnswer());
};

function lookedUp(committed: ReadonlySet<string>): Step {
  return ({ received, answer }) => {
    const key = received.path.split('/').at(-1) ?? '';
    const nothing = { definitive: false, idempotencyKey: key };
    answer(
      committed.has(key)
        ? operationAnswer(key)
        : problemAnswer('operation-not-found', 404, nothing),
    );
  };
}

export const answers =
  (answer: PlainAnswer): Step =>
  (exchange) =>
    exchange.answer(answer);

export const committing =
  (then: Step): Step =>
  (exchange) => {
    exchange.commit();
    then(exchange);
  };

export const resets: Step = ({ reset }) => reset();
export const closes: Step = ({ end }) => end();
export const stalls: Step = () => {};

/** The headers and the first bytes of a receipt, then the end of the connection. */
export const truncates: Step = ({ response, end }) => {
  const body = JSON.stringify(RECEIPT);
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.slice(0, 20), () => end());
};

/** The headers and one byte of a receipt, then nothing more. */
export const drips: Step = ({ response }) => {
  response.writeHead(202, { 'content-type': 'application/json' });
  response.write('{');
};
