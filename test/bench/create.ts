// What a create costs over the one transaction that it is: the whole pipeline (event in, answer out) beside
// the bare SDK call with the same items, in turns in one run. Replays likewise. Figures are ratios.
//   npx node test/bench/create.ts [ROUNDS]

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { wire } from '#handlers/wiring.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';
import { serve } from '#http/serve.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import { recordLife } from '#idempotency/retention.ts';
import { isolatedKeyId, startDynamoDbLocal } from '#local/dynamodb/dynamodb-local.ts';
import { makeTables } from '#local/dynamodb/make-tables.ts';
import { commitActions } from '#store/commit-store.ts';
import { actionInput } from '#store/dynamo-input.ts';
import { createPlan } from '#store/export-job-commit-store.ts';

const ROUNDS = Number(process.argv[2] ?? 400);
const WARM_UP = 50;

const local = await startDynamoDbLocal();
const connection = {
  endpoint: local.endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: isolatedKeyId(), secretAccessKey: 'bench' },
};
const client = new DynamoDBClient({ ...connection, maxAttempts: 1 });
const document = DynamoDBDocumentClient.from(client);
try {
  await makeTables(client);
  const quiet = { info: () => undefined, error: () => undefined };
  const {
    commits,
    edge: parts,
    tables,
  } = wire({
    environment: {
      STAGE: 'local',
      TABLE_IDEMPOTENCY_KEYS: 'IdempotencyKeys',
      TABLE_EXPORT_JOBS: 'ExportJobs',
      TABLE_BUSINESS_KEYS: 'BusinessKeys',
      TABLE_ARTICLES: 'Articles',
      TABLE_NOTIFICATIONS: 'Notifications',
      EXPORTS_BUCKET: 'exports',
      RUN_JOB_FUNCTION: 'run-job',
    },
    connection,
    log: quiet,
    signals: { measure: () => undefined, publish: () => undefined },
  });
  const handler = serve(parts, createExportJobRoute(commits, parts));

  const send = async (key: string, headers: Record<string, string> = {}) => {
    const answer = await handler(
      {
        version: '2.0',
        routeKey: 'POST /v1/export-jobs',
        headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
        body: '{"articleIds":["a-1","a-2"],"format":"text"}',
        requestContext: {
          requestId: 'bench',
          timeEpoch: Date.now(),
          authorizer: { jwt: { claims: { iss: 'bench', sub: 'bench' } } },
        },
      },
      { getRemainingTimeInMillis: () => 10_000 } as Context,
    );
    if (answer.statusCode !== 202) throw new Error(answer.body);
  };
  const bare = async (n: number) => {
    const now = epochMs(Date.now());
    const key = parseIdempotencyKey(`bare-${n}`);
    if (!key) throw new Error('a sound key');
    const life = recordLife(key, now, parts.config.retention);
    const jobId = parts.world.newJobId(now);
    const actions = commitActions(
      {
        state: 'committed',
        recordKey: `bare-${n}`,
        attemptId: jobId,
        committedAtMs: now,
        ...life,
        fingerprint: { whole: 'v1:x', members: {} },
        receipt: Buffer.alloc(216),
        resourceId: jobId,
      },
      {
        job: {
          owner: 'bench',
          jobId,
          status: 'queued',
          idempotencyKey: key.value,
          format: 'text',
          language: 'und',
          articleCount: 2,
          articleIds: ['a-1', 'a-2'],
          createdAtMs: now,
          progressDone: 0,
          run: 0,
          keyPurgeAtSeconds: life.purgeAtSeconds,
        },
      },
      createPlan(tables, {
        queuedAfterMs: 120_000,
        leaseOverdueMs: 30_000,
        requestKeptMs: 86_400_000,
      }),
    );
    const TransactItems = actions.map(actionInput);
    await document.send(
      new TransactWriteCommand({
        TransactItems,
        ReturnConsumedCapacity: 'INDEXES',
        ClientRequestToken: jobId,
      }),
    );
  };

  const took: Record<string, number[]> = {};
  const time = async (name: string, call: () => Promise<void>) => {
    const startedMs = performance.now();
    await call();
    const list = took[name] ?? [];
    list.push(performance.now() - startedMs);
    took[name] = list;
  };
  for (let n = 0; n < ROUNDS + WARM_UP; n += 1) {
    if (n === WARM_UP) for (const name of Object.keys(took)) delete took[name];
    await time('one bare transaction', () => bare(n));
    await time('create', () => send(`create-${n}`));
    await time('replay, by the failed write', () => send(`create-${n}`));
    await time('replay, announced, by a read', () =>
      send(`create-${n}`, { 'x-request-attempt': '2' }),
    );
  }
  const p50 = (name: string) =>
    took[name]?.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  const base = p50('one bare transaction');
  console.log(`p50 of ${ROUNDS} rounds, in turns`);
  for (const name of Object.keys(took)) {
    const ms = p50(name);
    console.log(`${name.padEnd(30)} ${ms.toFixed(2).padStart(7)} ms  × ${(ms / base).toFixed(2)}`);
  }
} finally {
  client.destroy();
  await local.stop();
}
