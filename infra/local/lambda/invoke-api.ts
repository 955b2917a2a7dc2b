// Lambda's Invoke API on loopback, as far as @aws-sdk/client-lambda needs it: RequestResponse, Event
// and DryRun. Signatures are not checked: only this machine can reach it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AsyncInvocations } from '#local/lambda/async-invocations.ts';
import type { Invoke } from '#local/lambda/function-pool.ts';
import type { FunctionDefinition } from '#local/stack/service-definition.ts';

const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export interface InvokeApi {
  readonly endpoint: string;
  /** Invocations before this wait for it. */
  serve(invoke: Invoke, later: AsyncInvocations): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export async function startInvokeApi(functions: readonly FunctionDefinition[]): Promise<InvokeApi> {
  const served = Promise.withResolvers<{ invoke: Invoke; later: AsyncInvocations }>();

  async function answer(path: string, type: string, payload: string): Promise<Answer> {
    const name = decodeURIComponent(PATH.exec(path)?.[1] ?? '');
    const definition = functions.find((one) => isNamed(one, name));
    if (definition === undefined) {
      return failure(404, 'ResourceNotFoundException', `Function not found: ${name}`);
    }
    let event: unknown;
    try {
      event = payload === '' ? {} : JSON.parse(payload);
    } catch {
      return failure(
        400,
        'InvalidRequestContentException',
        'Could not parse request body as JSON.',
      );
    }
    if (type === 'DryRun') return { status: 204 };
    const { invoke, later } = await served.promise;
    if (type === 'Event') {
      later.accept(definition, event);
      return { status: 202 };
    }
    const outcome = await invoke(definition, event);
    if (outcome.ok) return { status: 200, json: outcome.result };
    const headers = { 'x-amz-function-error': 'Unhandled' };
    return { status: 200, headers, json: outcome.error };
  }

  const server = createServer(async (incoming, response) => {
    let payload = '';
    incoming.setEncoding('utf8');
    for await (const chunk of incoming) payload += chunk;
    const type = String(incoming.headers['x-amz-invocation-type'] ?? 'RequestResponse');
    const path = incoming.url?.split('?')[0] ?? '';
    const { status, headers, json } = await answer(path, type, payload);
    const body = json === undefined ? '' : JSON.stringify(json);
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { 'content-type': 'application/json', ...length, ...headers });
    response.end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (invoke, later) => served.resolve({ invoke, later }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A name, a key of serverless.yml, an ARN, or any of them with a qualifier. */
function isNamed(definition: FunctionDefinition, name: string): boolean {
  const [plain] = name.replace(/^arn:aws:lambda:[^:]*:[^:]*:function:/, '').split(':');
  return plain === definition.name || plain === definition.key;
}

function failure(status: number, type: string, Message: string): Answer {
  return { status, headers: { 'x-amzn-errortype': type }, json: { Type: 'User', Message } };
}
