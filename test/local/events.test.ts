import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isolatedKeyId } from '#local/dynamodb/dynamodb-local.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const SERVICE = fileURLToPath(new URL('fixture/serverless.yml', import.meta.url));

describe('streams and asynchronous invocations', () => {
  let folder: string;
  let stack: RunningStack;
  let recordFile: string;
  let env: Record<string, string>;
  const start = () =>
    startStack({ args: ['--service', SERVICE, '--data', join(folder, 'data')], env });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-events-'));
    recordFile = join(folder, 'record.ndjson');
    env = { RECORD_FILE: recordFile, AWS_ACCESS_KEY_ID: isolatedKeyId() };
    stack = await start();
  });
  afterEach(async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const record = (): { batch?: string[]; ran?: unknown }[] => {
    try {
      return readFileSync(recordFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((l) => JSON.parse(l));
    } catch {
      return [];
    }
  };
  const batches = () => record().flatMap(({ batch }) => (batch ? [batch] : []));
  const post = (path: string, body?: object) =>
    fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const until = { timeout: 20_000, interval: 50 };

  it('hands a new item to the function, and nothing that the filter leaves out', async () => {
    await post('/jobs/not-queued?status=running');
    await post('/jobs/new');
    await post('/jobs/new?status=running');
    await post('/jobs/newer');

    await expect.poll(() => batches().flat(), until).toContain('newer');

    expect(batches().flat()).toEqual(['new', 'newer']);
  });

  it('gives up a record that always fails, keeps where it lies, and goes on', async () => {
    await post('/jobs/throws');
    await expect.poll(() => stack.deadLetters(), until).toHaveLength(1);
    await post('/jobs/after');
    await expect.poll(() => batches().flat(), until).toContain('after');

    expect(
      batches()
        .flat()
        .filter((id) => id === 'throws'),
    ).toHaveLength(3);
    expect(stack.deadLetters()[0]).toMatchObject({
      function: 'fixture-local-handOver',
      reason: 'retries-exhausted',
      count: 1,
    });
  });

  it('goes on after a restart where it stood', async () => {
    await post('/jobs/first');
    await expect.poll(() => batches().flat(), until).toContain('first');
    await stack.stop();

    stack = await start();
    await post('/jobs/second');
    await expect.poll(() => batches().flat(), until).toContain('second');

    expect(batches().flat()).toEqual(['first', 'second']);
  });

  it('goes on after the events process was killed', async () => {
    process.kill(stack.pids().events ?? 0, 'SIGKILL');
    await post('/jobs/one');

    await expect.poll(() => batches().flat(), until).toContain('one');
  });

  it('runs an asynchronous invocation once when it succeeds', async () => {
    const answer = await post('/start/Event', { job: 'a' });
    await expect.poll(() => record(), until).toEqual([{ ran: { job: 'a' } }]);

    expect(await answer.json()).toEqual({ status: 202 });
    expect(stack.deadLetters()).toEqual([]);
  });

  it('tries a failing asynchronous invocation twice more and then keeps it', async () => {
    await post('/start/Event', { job: 'a', fails: true });
    await expect.poll(() => stack.deadLetters(), until).toHaveLength(1);

    expect(record()).toHaveLength(3);
    expect(stack.deadLetters()[0]).toMatchObject({
      function: 'fixture-local-runJob',
      event: { job: 'a', fails: true },
      error: { errorType: 'Error', errorMessage: 'on purpose' },
    });
  });

  it('runs an asynchronous invocation again when its process was killed', async () => {
    await post('/start/Event', { job: 'a', dies: true });

    await expect.poll(() => stack.deadLetters(), until).toHaveLength(1);
    expect(stack.deadLetters()[0]).toMatchObject({ error: { errorType: 'Runtime.ExitError' } });
    expect(record()).toHaveLength(3);
  });

  it('answers a synchronous invocation with the result or the error', async () => {
    const good = await post('/start/RequestResponse', { job: 'a' });
    const bad = await post('/start/RequestResponse', { job: 'a', fails: true });

    expect(await good.json()).toEqual({ status: 200, payload: '{"ran":"a"}' });
    expect(await bad.json()).toMatchObject({
      status: 200,
      error: 'Unhandled',
      payload: expect.stringContaining('on purpose'),
    });
  });

  it('runs nothing for a dry run', async () => {
    const answer = await post('/start/DryRun', { job: 'a' });

    expect(await answer.json()).toMatchObject({ status: 204 });
    expect(record()).toEqual([]);
  });
});
