// A service, a worker and a clock of one test, and inspect over the same tables.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { ownerOf } from '#export-jobs/create-port.ts';
import { wire } from '#handlers/wiring.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import { readTwice } from '#ops/inspect/command.ts';
import type { Asked } from '#ops/inspect/intent.ts';
import { intentAsJson, intentAsText } from '#ops/inspect/intent-report.ts';
import { toldNow } from '#ops/inspect/told-now.ts';
import type { Target } from '#ops/target.ts';
import { connectionOf, serviceEnvironment, startService } from '#test/support/service.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { ISSUER, startWorker } from '#test/support/worker-bench.ts';

export const BODY = { articleIds: ['a-1'], format: 'text' };
export const HOUR_MS = 3_600_000;
export const PRINCIPAL = { issuer: ISSUER, subject: 'alice' };
export const OWNER = ownerOf(PRINCIPAL);

export type InspectBench = Awaited<ReturnType<typeof openInspectBench>>;

export async function openInspectBench(environment: Readonly<Record<string, string>> = {}) {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const service = await startService({ environment, world: { nowMs: now } });
  const worker = startWorker(service);
  const connection = connectionOf(service.database);
  const wiring = wire({
    environment: serviceEnvironment(service.database, environment),
    connection,
    log: testLog,
    signals: noSignals,
  });
  const target: Target = { ...wiring, where: 'the test', connection, isLocal: true };
  const putArticle = () =>
    service.call('PUT /v1/articles/{articleId}', {
      path: { articleId: 'a-1' },
      headers: { 'content-type': 'application/json' },
      body: { title: 'One', markdown: 'Text.' },
    });
  return {
    clock,
    service,
    worker,
    target,
    putArticle,

    async inspect(asked: Asked) {
      const read = await readTwice({ asked: asked, principal: PRINCIPAL }, target, now);
      const told = toldNow(read.intent, read.nowMs, target.config.retention);
      const report = { ...read, asked, principal: PRINCIPAL, where: 'the test', told };
      return {
        ...report,
        answers: Object.fromEntries(told.map(({ when, answer }) => [when, answer])),
        text: intentAsText(report),
        json: JSON.parse(intentAsJson(report)),
      };
    },

    async createAndRun(key: string, body: object = BODY): Promise<string> {
      await putArticle();
      const { body: receipt } = await service.create(key, body);
      await worker.run(receipt.id);
      return receipt.id;
    },

    deleteItem: (TableName: string, Key: Record<string, { S: string }>) =>
      service.database.client.send(new DeleteItemCommand({ TableName, Key })),

    close() {
      service.close();
      worker.close();
      target.dynamoDb.destroy();
    },
  };
}

export function byKey(text: string): Asked {
  const key = parseIdempotencyKey(text);
  if (!key) throw new Error('no key');
  return { by: 'key', key };
}
