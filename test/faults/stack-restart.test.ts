// All of the service is killed while jobs are under way, and started again on the same tables and files:
// every job ends, once, and a create that was answered is still answered the same. DynamoDB itself lives on:
// DynamoDB Local does not promise to keep its last writes when it is killed, as DynamoDB does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { itemsOf } from '#test/support/table-contents.ts';

const KILLS = 3;
const JOBS_A_KILL = 4;

describe('the stack, killed and started again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-restart-'));
  let database: Database;
  let stack: RunningStack | undefined;
  const start = async () => {
    const { AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_ENDPOINT = '', ...env } = database.environment();
    stack = await startStack({
      args: ['--data', folder],
      env: {
        ...env,
        DYNAMODB_ENDPOINT,
        LEASE_MS: '1500',
        HEARTBEAT_MS: '300',
        SWEEP_QUEUED_AFTER_MS: '500',
        SWEEP_LEASE_OVERDUE_MS: '200',
        SWEEP_PUT_OFF_MS: '500',
      },
    });
    return stack;
  };
  beforeAll(async () => {
    database = await freshDatabase();
    const caller = await callerOf(await start(), 'alice');
    for (const id of ['a-1', 'a-2', 'a-3']) await caller.putArticle(id);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sweep = (running: RunningStack) =>
    fetch(`${running.status().lambdaEndpoint}/2015-03-31/functions/sweepJobs/invocations`, {
      method: 'POST',
    });

  it('loses nothing that was answered and ends every job once', async () => {
    const receipts = new Map<string, string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = stack ?? (await start());
      const caller = await callerOf(running, 'alice');
      for (let n = 0; n < JOBS_A_KILL; n += 1) {
        const key = `k-${kill}-${n}`;
        const answer = await caller.create(key, {
          articleIds: ['a-1', 'a-2', 'a-3'],
          format: 'html',
        });
        expect(answer.status).toBe(202);
        receipts.set(key, answer.text);
      }
      await running.stop('SIGKILL');
      await start();
    }
    const running = stack as RunningStack;
    const caller = await callerOf(running, 'alice');

    for (const [key, text] of receipts) {
      const replay = await caller.create(key, {
        articleIds: ['a-1', 'a-2', 'a-3'],
        format: 'html',
      });
      expect(replay.text).toBe(text);
      let job = (await caller.send('GET', JSON.parse(text).links.self)).body;
      while (job.finishedAt === undefined) {
        await sweep(running);
        const headers = { prefer: 'wait=1' };
        job = (await caller.send('GET', job.links.self, { headers })).body;
      }
      expect(job.status).toBe('succeeded');
      expect((await caller.send('GET', job.links.file)).status).toBe(303);
    }
    expect(await itemsOf(database, 'ExportJobs')).toHaveLength(KILLS * JOBS_A_KILL);
    expect(await itemsOf(database, 'Notifications')).toHaveLength(KILLS * JOBS_A_KILL);
    expect(await itemsOf(database, 'IdempotencyKeys')).toHaveLength(KILLS * JOBS_A_KILL);
  }, 240_000);
});
