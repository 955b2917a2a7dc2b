// The whole service as processes, for plays in which one is killed or frozen, and for real files. It has a
// database and a wire proxy of its own, leases of two seconds, and it starts only when a play asks for it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type Caller, callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { jobsOf, type StoredItem } from '#test/support/table-contents.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

export type StackBench = {
  readonly stack: RunningStack;
  readonly database: Database;
  readonly proxy: WireProxy;
  readonly caller: Caller;
  /** Where the stack keeps its files. */
  readonly folder: string;
  readonly jobsUnder: (key: string) => Promise<readonly StoredItem[]>;
  /** Sweeps, since the schedule comes once a minute, until the job has finished. */
  readonly finishedBySweeps: (jobId: string) => Promise<StoredItem>;
  readonly close: () => Promise<void>;
};

const SWEEPS_MAX = 60;

export async function openStackBench(): Promise<StackBench> {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-promises-'));
  const database = await freshDatabase();
  const proxy = await startWireProxy(database.connection.endpoint);
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = database.environment();
  const stack = await startStack({
    args: ['--data', folder],
    env: {
      ...env,
      DYNAMODB_ENDPOINT: proxy.endpoint,
      LEASE_MS: '2000',
      HEARTBEAT_MS: '400',
      // A busy machine loses leases of seconds: no row here is about the last of the runs.
      RUNS_MAX: '100',
      SWEEP_LEASE_OVERDUE_MS: '100',
      SWEEP_QUEUED_AFTER_MS: '500',
      SWEEP_PUT_OFF_MS: '300',
    },
  });
  const caller = await callerOf(stack, 'alice');
  for (const articleId of ['a-1', 'a-2']) await caller.putArticle(articleId);
  return {
    stack,
    database,
    proxy,
    caller,
    folder,
    jobsUnder: async (key) =>
      (await jobsOf(database)).filter(({ idempotencyKey }) => idempotencyKey === key),
    async finishedBySweeps(jobId) {
      for (let sweeps = 0; sweeps < SWEEPS_MAX; sweeps += 1) {
        const headers = { prefer: 'wait=1' };
        const { body } = await caller.send('GET', `/v1/export-jobs/${jobId}`, { headers });
        if (body?.finishedAt !== undefined) return body;
        await sweep(stack);
      }
      throw new Error(`the job did not finish: ${jobId}`);
    },
    async close() {
      await stack.stop();
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sweep(stack: RunningStack): Promise<void> {
  const url = `${stack.status().lambdaEndpoint}/2015-03-31/functions/sweepJobs/invocations`;
  await fetch(url, { method: 'POST' });
}
