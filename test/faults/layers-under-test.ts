// The layers, each as it is built, with what is below it refusing: how a test makes each of them try as
// often as it ever does. Waits pass at once where the layer takes its time from outside.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { clientIn, type ExportOnceClient } from '#client/client.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import { type SweepSettings, sweepExportJobs } from '#export-jobs/sweep-export-jobs.ts';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { wireEdge } from '#handlers/edge-wiring.ts';
import { handOverOf } from '#handlers/hand-over-wiring.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { type Gateway, startGateway } from '#local/gateway/gateway.ts';
import { signToken } from '#local/gateway/jwt.ts';
import { loadSigningKey } from '#local/gateway/signing-key.ts';
import type { Outcome } from '#local/lambda/host-messages.ts';
import { type FunctionDefinition, readServiceDefinition } from '#local/stack/service-definition.ts';
import { deliverBatch, type StreamRecord } from '#local/stream/batch.ts';
import { createFileStore, createS3Client } from '#store/file-store.ts';
import type { Database } from '#test/support/dynamodb.ts';
import { type Service, serviceEnvironment } from '#test/support/service.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { handOverJobsHandler } from '#worker/hand-over-jobs.ts';

export const SERVICE_FILE = fileURLToPath(new URL('../../serverless.yml', import.meta.url));
const CREATE = 'POST /v1/export-jobs';

export function definitionOf(key: string): FunctionDefinition {
  const found = readServiceDefinition(SERVICE_FILE).functions.find((each) => each.key === key);
  if (!found) throw new Error(`serverless.yml has no function ${key}`);
  return found;
}

/** This client over real sockets. Its waits pass at once, its limits of minutes never come. */
export function hastyClient(url: string, token: string): ExportOnceClient {
  const limitMs = 60_000;
  const after = (ms: number, then: () => void) => {
    if (ms >= limitMs) return () => undefined;
    const turn = setImmediate(then);
    return () => clearImmediate(turn);
  };
  return clientIn(
    { ...realWorld, after, blocksPort: () => false },
    { url, token, attemptTimeoutMs: 5 * limitMs, retryBudget: retryBudget() },
  );
}

/** Creates through a client that has all the time there is; what became of it. */
export function createWith(client: ExportOnceClient): Promise<string> {
  return client
    .createExportJob({ articleIds: ['a-1'], format: 'text' }, { timeoutMs: 1_200_000 })
    .then(
      () => 'created',
      (error: { outcome?: string }) => error.outcome ?? String(error),
    );
}

/** The gateway of one machine in front of whatever answers an invocation; with a token for it. */
export async function gatewayTo(
  invoke: (event: GatewayEvent) => Promise<Outcome>,
): Promise<{ gateway: Gateway; token: string }> {
  const key = loadSigningKey();
  const { functions } = readServiceDefinition(SERVICE_FILE);
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    functions,
    key,
    basePath: '',
    cors: false,
  });
  gateway.serve((_, event) => invoke(event as GatewayEvent));
  return { gateway, token: await signToken(key, 'alice') };
}
export interface GatewayEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The create function of a service, as the gateway invokes it. */
export async function createByEvent(service: Service, event: GatewayEvent): Promise<Outcome> {
  const { headers, body } = event;
  const { status, headers: answered, text } = await service.call(CREATE, { headers, body });
  return { ok: true, result: { statusCode: status, headers: answered, body: text } };
}

/** One new job in the stream, delivered until its deliveries are used up. @returns how many there were */
export async function deliverNewJob(
  handler: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>,
): Promise<number> {
  const [source] = definitionOf('handOverJobs').streams;
  if (!source) throw new Error('the hand-over has no stream');
  const event = {
    eventID: '1',
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: '1',
      Keys: { owner: { S: 'owner' }, jobId: { S: 'job' } },
      NewImage: { status: { S: 'queued' } },
    },
  } as const;
  const record: StreamRecord = { sequenceNumber: '1', createdAtMs: Date.now(), event };
  let deliveries = 0;
  await deliverBatch([record], source, {
    async invoke() {
      deliveries += 1;
      return { ok: true, result: await handler({ Records: [event] }) };
    },
    checkpoint: () => undefined,
    discard: () => undefined,
    backoff: async () => undefined,
    nowMs: () => Date.now(),
    stopped: () => false,
  });
  return deliveries;
}

/** The stream function with the hand-over as it is wired; the SDK finds its endpoint in the environment. */
export function handOverJobs(database: Database) {
  const environment = serviceEnvironment(database);
  const base = wireEdge({ environment, log: testLog, signals: noSignals });
  return handOverJobsHandler(handOverOf(base), base.log);
}

/** Puts one finished file, as a run does. */
export async function putFile(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'export-once-file-'));
  const path = join(folder, 'file');
  await writeFile(path, 'text');
  const client = createS3Client({ forcePathStyle: true });
  const file = { key: 'k', path, bytes: 4, contentType: 'text/plain', disposition: 'attachment' };
  try {
    await createFileStore(client, 'exports').putFile(file, new AbortController().signal);
  } finally {
    client.destroy();
    await rm(folder, { recursive: true });
  }
}

/**
 * Sweeps over one job that is due and cannot be handed over.
 * @returns a sweep so many milliseconds after the job fell due, which tells how often it handed the job over
 */
export function sweepOfOneJob(settings: Omit<SweepSettings, 'nowMs'>) {
  const firstMs = 1_800_000_000_000;
  const job = { owner: 'owner', jobId: '01890000-0000-7000-8000-000000000001', shard: 0 };
  let dueAtMs = epochMs(firstMs);
  const port: SweepPort = {
    listDueJobs: async ({ nowMs }) => ({
      kind: 'found',
      value: nowMs > dueAtMs ? [{ ...job, dueAtMs }] : [],
    }),
    async putOff(_, toMs) {
      dueAtMs = toMs;
    },
  };
  return async (afterMs: number): Promise<number> => {
    let handedOver = 0;
    const handOver = async () => {
      handedOver += 1;
      throw new Error('cannot be handed over');
    };
    await sweepExportJobs(port, handOver, { ...settings, nowMs: epochMs(firstMs + afterMs) });
    return handedOver;
  };
}
