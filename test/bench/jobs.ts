// A crowd of jobs through the whole local stack: do all finish, does none end twice, how many a second,
// and how long does the slowest take. Counted from the table's own stream.
//   npx node test/bench/jobs.ts [JOBS]

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { signToken } from '#local/gateway/jwt.ts';
import { loadSigningKey } from '#local/gateway/signing-key.ts';

const JOBS = Number(process.argv[2] ?? 1_000);
const CREATORS = 8;
const FORMATS = ['text', 'markdown', 'html', 'json'];
const ARTICLES = ['idempotency-zh-hant', 'outbox-de', 'retries-en', 'retry-budget-tables'];

const folder = mkdtempSync(join(tmpdir(), 'export-once-bench-'));
const credentials = { AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' };
const stack = spawn(process.execPath, ['infra/local/start.ts', '--data', folder], {
  env: { ...process.env, ...credentials, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await readyUrl();
  const authorization = `Bearer ${await signToken(loadSigningKey(), 'demo')}`;
  const startedMs = performance.now();
  await createAll(url, authorization);
  const createdMs = performance.now();
  process.stderr.write(`created in ${((createdMs - startedMs) / 1000).toFixed(1)} s\n`);
  await waitForAll(url, authorization);
  const tookS = (performance.now() - startedMs) / 1000;
  const { dynamoDbEndpoint } = JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8'));
  const ends = await endsOf(dynamoDbEndpoint);
  const latencies = [...ends.values()].map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  console.log(`jobs             ${JOBS}`);
  console.log(`finished once    ${[...ends.values()].filter(({ times }) => times === 1).length}`);
  console.log(`finished twice   ${[...ends.values()].filter(({ times }) => times > 1).length}`);
  console.log(
    `succeeded        ${[...ends.values()].filter(({ status }) => status === 'succeeded').length}`,
  );
  console.log(`more than 1 run  ${[...ends.values()].filter(({ run }) => run > 1).length}`);
  console.log(`jobs a second    ${(JOBS / tookS).toFixed(1)} (${tookS.toFixed(1)} s in all)`);
  console.log(
    `create to end    p50 ${(at(0.5) / 1000).toFixed(1)} s, slowest ${(at(1) / 1000).toFixed(1)} s`,
  );
} finally {
  const ended = new Promise((done) => stack.once('close', done));
  stack.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

async function readyUrl(): Promise<string> {
  for await (const line of createInterface(stack.stdout)) {
    if (!line.startsWith('ready ')) continue;
    stack.stdout.resume();
    return line.slice('ready '.length);
  }
  throw new Error('the stack did not start');
}

async function createAll(url: string, authorization: string): Promise<void> {
  let next = 0;
  const create = async () => {
    while (next < JOBS) {
      const n = next++;
      const answer = await fetch(`${url}/v1/export-jobs`, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          'idempotency-key': `bench-${n}`,
        },
        body: JSON.stringify({ articleIds: ARTICLES, format: FORMATS[n % FORMATS.length] }),
      });
      if (answer.status !== 202) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, create));
}

async function waitForAll(url: string, authorization: string): Promise<void> {
  const left = new Set<string>();
  for (const status of ['queued', 'running']) left.add(status);
  for (;;) {
    let unfinished = 0;
    for (const status of left) {
      let cursor: string | undefined;
      do {
        const query = new URLSearchParams({ status, limit: '100', ...(cursor && { cursor }) });
        const page = await fetch(`${url}/v1/export-jobs?${query}`, { headers: { authorization } });
        const body = (await page.json()) as { items: unknown[]; cursor?: string };
        unfinished += body.items.length;
        cursor = body.cursor;
      } while (cursor);
    }
    process.stderr.write(`\r${JOBS - unfinished} of ${JOBS} finished   `);
    if (unfinished === 0) break;
    await new Promise((done) => setTimeout(done, 2_000));
  }
  process.stderr.write('\n');
}

type End = { times: number; status: string; run: number; latencyMs: number };

async function endsOf(endpoint: string): Promise<Map<string, End>> {
  const client = new DynamoDBStreamsClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const ends = new Map<string, End>();
  for await (const image of imagesOf(client)) {
    if (image.finishedAtMs === undefined) continue;
    ends.set(image.jobId, {
      times: (ends.get(image.jobId)?.times ?? 0) + 1,
      status: image.status,
      run: image.run,
      latencyMs: image.finishedAtMs - image.createdAtMs,
    });
  }
  client.destroy();
  return ends;
}

/** Every item that the stream of the jobs shows, as it was after each change. */
async function* imagesOf(client: DynamoDBStreamsClient) {
  const { Streams } = await client.send(new ListStreamsCommand({ TableName: 'ExportJobs' }));
  const StreamArn = Streams?.[0]?.StreamArn;
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
    let { ShardIterator } = await client.send(new GetShardIteratorCommand(start));
    while (ShardIterator) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator }));
      if (!page.Records?.length) break;
      for (const { dynamodb } of page.Records)
        yield unmarshall((dynamodb?.NewImage ?? {}) as never);
      ShardIterator = page.NextShardIterator;
    }
  }
}
