// `create` is killed (SIGKILL) at random moments, and so is the first `resume`; then `resume` settles
// every intent that was kept, each under its own key: one job for each, counted in the table.
// KILLS=200 runs it 200 times. Printed: where the kills struck, so that one sees that they bit.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandLine, commandLine } from '#test/client/command.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

/** Kills that leave an intent behind. */
const KILLS = Number(process.env.KILLS ?? 10);
/** DynamoDB takes this long before and after the commit, milliseconds: a window to strike in. */
const SLOW_MS = 60;
/** A machine on which this many kills leave no intent is not one that this test can measure. */
const STRIKES_MAX = 20 * KILLS;

let database: Database;
let proxy: WireProxy;
let stack: RunningStack;
let command: CommandLine;

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await startWireProxy(database.connection.endpoint);
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = database.environment();
  stack = await startStack({ env: { ...env, DYNAMODB_ENDPOINT: proxy.endpoint } });
  command = await commandLine(stack.url, await stack.token('alice'));
  proxy.clear();
  proxy.rule({ target: 'TransactWriteItems', table: 'IdempotencyKeys' }, async (exchange) => {
    await pause(SLOW_MS);
    const reply = await exchange.forward();
    await pause(SLOW_MS);
    exchange.reply(reply);
  });
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
  command?.remove();
});

const CREATE = ['create', 'a-1', '--format', 'text'];

/** How long undisturbed creates take, milliseconds, the median of a few: kills strike before that. */
async function lifeMs(): Promise<number> {
  const lives: number[] = [];
  for (let runs = 0; runs < 3; runs += 1) {
    const startMs = performance.now();
    const { code } = await command.run(CREATE);
    expect(code).toBe(0);
    lives.push(performance.now() - startMs);
  }
  return lives.toSorted((a, b) => a - b)[1] ?? 0;
}

/** Every other kill strikes at any time, the others while the intent is kept and under way. */
async function strikeOnce(anyTime: boolean, undisturbedMs: number): Promise<void> {
  const kept = command.intents().length;
  const { process: child, ended } = command.start(CREATE);
  const exited = ended.then(() => true);
  if (anyTime) {
    await pause(undisturbedMs * Math.random());
  } else {
    while (command.intents().length === kept && !(await Promise.race([exited, pause(3, false)])));
    await pause(3 * SLOW_MS * Math.random());
  }
  child.kill('SIGKILL');
  await ended;
}

it(
  'every intent that was kept becomes one job, whenever `create` is killed',
  async () => {
    const undisturbedMs = await lifeMs();
    const before = command.intents().length;
    const struck = { beforeKept: 0, open: 0, settled: 0, openWithJob: 0 };
    let strikes = 0;
    while (command.intents().length - before < KILLS && strikes < STRIKES_MAX) {
      strikes += 1;
      const kept = command.intents().length;
      await strikeOnce(strikes % 2 === 0, undisturbedMs);
      if (command.intents().length === kept) struck.beforeKept += 1;
    }
    const intents = command.intents();
    const withJob = new Set((await jobsOf(database)).map(({ idempotencyKey }) => idempotencyKey));
    for (const { key, state } of intents) {
      if (state !== 'open') struck.settled += 1;
      else if (withJob.has(key)) struck.openWithJob += 1;
      else struck.open += 1;
    }
    struck.settled -= before;
    console.log(`${strikes} kills, undisturbed ${Math.round(undisturbedMs)} ms:`, struck);

    const killed = command.start(['resume', '--json']);
    await pause(undisturbedMs * Math.random());
    killed.process.kill('SIGKILL');
    await killed.ended;
    const resumed = await command.run(['resume', '--json']);
    const again = await command.run(['resume', '--json']);

    expect(intents.length - before).toBe(KILLS);
    // Kills that leave nothing open would prove nothing.
    expect(struck.open + struck.openWithJob).toBeGreaterThan(0);
    expect([resumed.code, JSON.parse(resumed.stdout).open]).toEqual([0, 0]);
    expect(JSON.parse(again.stdout)).toEqual({ settled: [], open: 0, elsewhere: 0, damaged: [] });
    const jobs = await jobsOf(database);
    expect(jobs.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(
      intents.map(({ key }) => key).toSorted(),
    );
    expect(
      command
        .intents()
        .map(({ jobId }) => jobId)
        .toSorted(),
    ).toEqual(jobs.map(({ jobId }) => jobId).toSorted());
  },
  60_000 + KILLS * 5_000,
);
