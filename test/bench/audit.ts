// How long an audit of a clean store takes, and how much memory: `npx node test/bench/audit.ts [KEYS]`, 100,000
// by default. Fills a DynamoDB Local of its own, runs the command as an operator does, and ends as it ends.

import { spawn } from 'node:child_process';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from '#local/dynamodb/dynamodb-local.ts';
import { makeTables, readTables } from '#local/dynamodb/make-tables.ts';
import { tableVariable } from '#local/dynamodb/table-variable.ts';
import { makeIntents, SCHEDULE, type Stored, store } from '#test/ops/audited-store.ts';

/** Items that are written at a time. */
const CHUNK = 500;

const keys = Number(process.argv[2] ?? 100_000);
const local = await startDynamoDbLocal();
const credentials = { accessKeyId: 'bench', secretAccessKey: 'local' };
const client = new DynamoDBClient({ endpoint: local.endpoint, region: 'us-east-1', credentials });
try {
  await makeTables(client);
  const filledMs = await fill();
  console.log(`${keys} keys stored in ${Math.round(filledMs / 1000)} s`);
  const startedMs = performance.now();
  const { code, maxRssMb } = await audit();
  const tookS = (performance.now() - startedMs) / 1000;
  console.log(`audit: exit ${code}, ${tookS.toFixed(1)} s, ${maxRssMb} MB resident at most`);
  process.exitCode = code;
} finally {
  client.destroy();
  await local.stop();
}

async function fill(): Promise<number> {
  const startedMs = performance.now();
  let waiting: Stored[] = [];
  for await (const { stored } of makeIntents(keys, Date.now())) {
    waiting.push(...stored);
    if (waiting.length < CHUNK) continue;
    const half = Math.floor(waiting.length / 2);
    await Promise.all([store(client, waiting.slice(0, half)), store(client, waiting.slice(half))]);
    waiting = [];
  }
  await store(client, waiting);
  return performance.now() - startedMs;
}

function audit(): Promise<{ code: number; maxRssMb: number }> {
  const sayMemory =
    'data:text/javascript,process.on("exit",()=>console.log("maxrss",process.resourceUsage().maxRSS))';
  const args = ['functions/ops/main.ts', 'audit', '--rate', '1000000'];
  const child = spawn(process.execPath, ['--import', sayMemory, ...args], {
    env: {
      ...process.env,
      STAGE: 'local',
      EXPORTS_BUCKET: 'exports',
      RUN_JOB_FUNCTION: 'run-job',
      RETENTION_SCHEDULE: SCHEDULE,
      ...Object.fromEntries(readTables().map(({ name }) => [tableVariable(name), name])),
      AWS_ENDPOINT_URL_DYNAMODB: local.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  return new Promise((resolve) =>
    child.once('close', (code) => {
      const [said = '', kilobytes = '0'] = out.split('maxrss ');
      process.stdout.write(said);
      resolve({ code: code ?? 1, maxRssMb: Math.round(Number(kilobytes) / 1024) });
    }),
  );
}
