// The worker as a process that is really killed and really frozen. Counted from the table's stream: one
// end for each job, whatever happened on the way.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type Caller, callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { changesOfJob } from '#test/support/stream-images.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { applied, beforeForward, blackhole } from '#test/support/wire-actions.ts';
import {
  type Action,
  type Match,
  startWireProxy,
  type WireProxy,
} from '#test/support/wire-proxy.ts';

/** The first update of a job is its claim. */
const CLAIM: Match = { target: 'UpdateItem', table: 'ExportJobs' };
const FINISH: Match = {
  target: 'TransactWriteItems',
  where: ({ body }) => body.TransactItems[0].Update !== undefined,
};
const ARTICLE: Match = { target: 'GetItem', table: 'Articles' };
const LEASE_MS = 1_500;

describe('the worker as a process', () => {
  let database: Database;
  let proxy: WireProxy;
  let stack: RunningStack;
  let caller: Caller;
  let number = 0;

  beforeAll(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = database.environment();
    stack = await startStack({
      env: {
        ...env,
        DYNAMODB_ENDPOINT: proxy.endpoint,
        LEASE_MS: `${LEASE_MS}`,
        HEARTBEAT_MS: '200',
        SWEEP_LEASE_OVERDUE_MS: '200',
        SWEEP_QUEUED_AFTER_MS: '1000',
        SWEEP_PUT_OFF_MS: '500',
      },
    });
    caller = await callerOf(stack, 'alice');
    await caller.putArticle('a-1');
    await caller.putArticle('a-2');
  });
  afterAll(async () => {
    await stack?.stop();
    await proxy?.close();
  });
  beforeEach(() => proxy.clear());

  const workerPid = () => stack.pids().runJob ?? Number.NaN;
  const newJob = async () => {
    number += 1;
    const made = await caller.create(`k-${number}`, { articleIds: ['a-1', 'a-2'], format: 'text' });
    expect(made.status).toBe(202);
    return made.body.id as string;
  };
  /** The schedule comes once a minute; a test does not wait for it. */
  const sweep = async () => {
    const path = '/2015-03-31/functions/sweepJobs/invocations';
    const response = await fetch(`${stack.status().lambdaEndpoint}${path}`, { method: 'POST' });
    expect(response.headers.get('x-amz-function-error')).toBeNull();
  };
  const finishedBySweeps = async (jobId: string) => {
    for (let sweeps = 0; sweeps < 40; sweeps += 1) {
      const { body } = await caller.send('GET', `/v1/export-jobs/${jobId}`, {
        headers: { prefer: 'wait=1' },
      });
      if (body?.finishedAt) return body;
      await sweep();
    }
    throw new Error('the job did not finish');
  };
  const expectOneEnd = async (jobId: string) => {
    const changes = await changesOfJob(database, jobId);
    const ends = changes.filter(({ image }) => image.finishedAtMs !== undefined);
    expect(changes.filter(({ kind }) => kind === 'INSERT')).toHaveLength(1);
    expect(ends).toHaveLength(1);
    expect(changes.at(-1)).toEqual(ends[0]);
    const runs = changes.map(({ image }) => image.run);
    for (const [index, run] of runs.entries()) expect(run - (runs[index - 1] ?? 0)).toBeLessThan(2);
    const rows = (await itemsOf(database, 'Notifications')).filter((row) => row.jobId === jobId);
    expect(rows).toHaveLength(1);
    return ends[0]?.image;
  };
  const fileOf = async (jobId: string) => {
    const answer = await caller.send('GET', `/v1/export-jobs/${jobId}/file`);
    expect(answer.status).toBe(303);
    const file = await fetch(answer.headers.get('location') ?? '');
    return { url: answer.headers.get('location'), text: await file.text() };
  };

  const kill = () => process.kill(workerPid(), 'SIGKILL');
  it.each<[string, Match, Action]>([
    ['before its claim', { ...CLAIM, nth: 1 }, beforeForward(kill, blackhole())],
    ['after its claim', { ...CLAIM, nth: 1 }, applied(kill)],
    ['between two articles', { ...ARTICLE, nth: 2 }, beforeForward(kill, blackhole())],
    [
      'after its file was stored, before its end',
      { ...FINISH, nth: 1 },
      beforeForward(kill, blackhole()),
    ],
    ['after its end was written', { ...FINISH, nth: 1 }, applied(kill)],
  ])('killed %s: the job succeeds, once', async (_, match, action) => {
    const rule = proxy.rule(match, action);
    const jobId = await newJob();
    await rule.firstFired;

    const job = await finishedBySweeps(jobId);

    expect(job.status).toBe('succeeded');
    const end = await expectOneEnd(jobId);
    expect((await fileOf(jobId)).url).toContain(`/${end?.run}-${end?.leaseId}.txt`);
  });

  it('frozen past its lease and thawed after another run finished: one end, one file, unchanged', async () => {
    let frozen = Number.NaN;
    const rule = proxy.rule({ ...FINISH, nth: 1 }, async (exchange) => {
      // The file is stored, the end is on its way: it never arrives, and the process stops here.
      frozen = workerPid();
      process.kill(frozen, 'SIGSTOP');
      exchange.reset();
    });
    const jobId = await newJob();
    await rule.firstFired;
    const second = await secondWorker(stack, proxy.endpoint, database);
    try {
      await second.runUntilFinished(jobId);
      const before = await fileOf(jobId);
      const end = await expectOneEnd(jobId);
      expect(end?.run).toBe(2);

      process.kill(frozen, 'SIGCONT');
      await untilLogged(stack, jobId, 'stale');

      const after = await fileOf(jobId);
      expect(after.text).toBe(before.text);
      expect(await expectOneEnd(jobId)).toEqual(end);
      expect(after.url).toContain(`/2-${end?.leaseId}.txt`);
    } finally {
      process.kill(frozen, 'SIGCONT');
      second.stop();
    }
  });

  it('handed over three times and in any order ends the same', async () => {
    const jobs = await Promise.all(Array.from({ length: 8 }, newJob));
    const endpoint = stack.status().lambdaEndpoint;
    const owners = new Map((await itemsOf(database, 'ExportJobs')).map((j) => [j.jobId, j.owner]));
    const deliveries = [...jobs, ...jobs, ...jobs].sort(() => Math.random() - 0.5);
    await Promise.all(
      deliveries.map((jobId) =>
        fetch(`${endpoint}/2015-03-31/functions/runJob/invocations`, {
          method: 'POST',
          headers: { 'x-amz-invocation-type': 'Event' },
          body: JSON.stringify({ owner: owners.get(jobId), jobId }),
        }),
      ),
    );

    for (const jobId of jobs) {
      expect((await finishedBySweeps(jobId)).status).toBe('succeeded');
      await expectOneEnd(jobId);
    }
  });

  it('is handed a job again by the sweep when its first run never got to claim it', async () => {
    const queued = proxy.rule({ ...CLAIM, nth: [1, 2, 3] }, blackhole());
    const jobId = await newJob();
    await queued.firstFired;
    proxy.clear();

    expect((await finishedBySweeps(jobId)).status).toBe('succeeded');
    await expectOneEnd(jobId);
  });

  it('lets a poisoned invocation go to the dead letters while others go on', async () => {
    const endpoint = stack.status().lambdaEndpoint;
    await fetch(`${endpoint}/2015-03-31/functions/runJob/invocations`, {
      method: 'POST',
      headers: { 'x-amz-invocation-type': 'Event' },
      body: JSON.stringify({ poison: true }),
    });
    const jobId = await newJob();

    expect((await finishedBySweeps(jobId)).status).toBe('succeeded');
    await untilTrue(() =>
      stack.deadLetters().some(({ event }) => (event as { poison?: boolean })?.poison === true),
    );
  });
});

/** A second environment of run-job, as Lambda has many: its own process, the same address and tables. */
async function secondWorker(stack: RunningStack, endpoint: string, database: Database) {
  const { spawn } = await import('node:child_process');
  const { s3Endpoint, lambdaEndpoint } = stack.status();
  const owner = async (jobId: string) =>
    (await itemsOf(database, 'ExportJobs')).find((job) => job.jobId === jobId)?.owner as string;
  const script = `
    const { handler } = await import('./functions/handlers/run-job.ts');
    const event = JSON.parse(process.env.JOB);
    const until = Date.now() + 30_000;
    for (;;) {
      await handler(event, { getRemainingTimeInMillis: () => 60_000 });
      if (Date.now() > until) break;
      await new Promise((done) => setTimeout(done, 300));
    }
  `;
  let child: ReturnType<typeof spawn> | undefined;
  return {
    async runUntilFinished(jobId: string) {
      child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        cwd: new URL('../..', import.meta.url).pathname,
        stdio: 'ignore',
        env: {
          PATH: process.env.PATH,
          ...database.environment(endpoint),
          JOB: JSON.stringify({ owner: await owner(jobId), jobId }),
          STAGE: 'local',
          EXPORTS_BUCKET: 'exports',
          RUN_JOB_FUNCTION: 'runJob',
          S3_FORCE_PATH_STYLE: 'true',
          AWS_ENDPOINT_URL_S3: s3Endpoint,
          AWS_ENDPOINT_URL_LAMBDA: lambdaEndpoint,
        },
      });
      await untilTrue(async () =>
        (await itemsOf(database, 'ExportJobs')).some(
          (job) => job.jobId === jobId && job.finishedAtMs !== undefined,
        ),
      );
    },
    stop: () => child?.kill('SIGKILL'),
  };
}

async function untilLogged(stack: RunningStack, jobId: string, kind: string): Promise<void> {
  await untilTrue(() =>
    stack
      .functionsLog()
      .split('\n')
      .some((line) => line.includes(jobId) && line.includes(`"kind":"${kind}"`)),
  );
}

/** A condition of real processes, waited for; a test that waits too long ends by its own limit. */
async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((done) => setTimeout(done, 50));
}
