import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase, freshDatabase } from '#test/support/dynamodb.ts';
import { processIsAlive } from '#test/support/process-is-alive.ts';
import { type RunningStack, runStart, startStack } from '#test/support/stack.ts';
import { startWireProxy } from '#test/support/wire-proxy.ts';

const SERVICE = ['--service', fileURLToPath(new URL('fixture/serverless.yml', import.meta.url))];
const until = { timeout: 10_000, interval: 50 };

async function failToStart(args: string[], env: Record<string, string>) {
  const started = runStart(['--no-samples', ...args], env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(started.stdout),
    text(started.stderr),
    once(started, 'close'),
  ]);
  return { code, stderr, isReady: stdout.includes('ready ') };
}

describe('npm start', () => {
  let folder: string;
  let stack: RunningStack | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-start-'));
  });
  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  it('says what runs where, a token, three lines to paste and, last, that it is ready', async () => {
    stack = await startStack({ args: SERVICE });

    const lines = stack.output().split('\n');

    expect(lines.at(-1)).toBe(`ready ${stack.url}`);
    expect(lines.filter((line) => line.startsWith('ready '))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('curl '))).toHaveLength(3);
    expect(lines.filter((line) => line.startsWith('eyJ'))).toHaveLength(1);
    for (const pid of Object.values(stack.pids())) expect(stack.output()).toContain(`pid ${pid}`);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops everything it started on %s and ends with code 0',
    async (signal) => {
      stack = await startStack({ args: SERVICE, ownDynamoDb: true });
      const pids = Object.values(stack.pids());
      expect(Object.keys(stack.pids())).toEqual(
        expect.arrayContaining(['stack', 'dynamodb', 'http', 'events', 'runJob']),
      );

      const end = await stack.stop(signal);
      stack = undefined;

      expect(end).toEqual({ code: 0, signal: null });
      expect(pids.filter(processIsAlive)).toEqual([]);
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops in the same way when %s reaches every process of its group',
    async (signal) => {
      const grouped = await startStack({
        args: SERVICE,
        ownDynamoDb: true,
        ownProcessGroup: true,
      });
      const pids = Object.values(grouped.pids());
      const ended = once(grouped.process, 'close');

      process.kill(-(grouped.process.pid ?? 0), signal);

      expect(await ended).toEqual([0, null]);
      expect(grouped.output()).not.toMatch(/starting another|has ended/);
      expect(pids.filter(processIsAlive)).toEqual([]);
    },
  );

  it('stops while a function hangs and another process is frozen', async () => {
    stack = await startStack({ args: SERVICE });
    const pids = stack.pids();
    const hanging = fetch(`${stack.url}/answer/hangs`).then(
      () => 'answered',
      () => 'broken',
    );
    process.kill(pids.events ?? 0, 'SIGSTOP');

    const end = await stack.stop();
    stack = undefined;

    expect(end.code).toBe(0);
    expect(await hanging).toMatch(/answered|broken/);
    expect(Object.values(pids).filter(processIsAlive)).toEqual([]);
  });

  it('leaves no process behind when it is killed', async () => {
    const killed = await startStack({ args: SERVICE, ownDynamoDb: true });
    const pids = Object.values(killed.pids());

    await killed.stop('SIGKILL');

    expect(pids).toHaveLength(5);
    await expect.poll(() => pids.filter(processIsAlive), until).toEqual([]);
  });

  it('ends with a sentence when DynamoDB Local dies', async () => {
    const dying = await startStack({ args: SERVICE, ownDynamoDb: true });
    const ended = once(dying.process, 'close');

    process.kill(dying.pids().dynamodb ?? 0, 'SIGKILL');

    expect(await ended).toEqual([1, null]);
    expect(dying.output()).toMatch(/DynamoDB Local \(pid \d+\) has ended\.$/);
  });

  it('keeps tables over a restart when asked to', async () => {
    const data = join(folder, 'data');
    stack = await startStack({ args: [...SERVICE, '--data', data], ownDynamoDb: true });
    const first = stack.output();
    await stack.stop();

    stack = await startStack({ args: [...SERVICE, '--data', data], ownDynamoDb: true });

    expect(first).toContain('5 tables made');
    expect(stack.output()).toContain('0 tables made');
  });

  it('uses another DynamoDB, makes the missing tables there and sends every call to it', async () => {
    const database = emptyDatabase();
    const proxy = await startWireProxy(database.connection.endpoint);
    const { AWS_ACCESS_KEY_ID = '' } = database.environment();
    stack = await startStack({
      args: SERVICE,
      env: { DYNAMODB_ENDPOINT: proxy.endpoint, AWS_ACCESS_KEY_ID },
    });
    const seen = proxy.rule({ target: 'GetRecords' }, async (exchange) =>
      exchange.reply(await exchange.forward()),
    );

    await fetch(`${stack.url}/jobs/one`, { method: 'POST' });
    await seen.firstFired;
    const made = await database.client.send(new ListTablesCommand({}));

    expect(made.TableNames).toHaveLength(5);
    expect(stack.pids()).not.toHaveProperty('dynamodb');
    expect(proxy.count({ target: 'CreateTable' })).toBe(5);
    expect(proxy.count({ target: 'PutItem', table: 'ExportJobs' })).toBe(1);
    await stack.stop();
    stack = undefined;
    await proxy.close();
  });

  describe('ends with code 1 and one sentence', () => {
    let endpoint: string;
    let env: Record<string, string>;
    beforeEach(async () => {
      const database = await freshDatabase();
      endpoint = database.connection.endpoint;
      env = { PORT: '0', DYNAMODB_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: 'local' };
    });
    const oneSentence = (stderr: string) => stderr.trim().split('\n').length === 1;

    it('when the port is taken', async () => {
      const taken: Server = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };

      const end = await failToStart(SERVICE, { ...env, PORT: String(port) });

      taken.close();
      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toBe(
        `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set PORT to another one.\n`,
      );
    });

    it('when there is no java', async () => {
      const end = await failToStart(SERVICE, { PORT: '0', PATH: folder });

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toMatch(/^java was not found.* Java 17 .*DYNAMODB_ENDPOINT.*\n$/);
    });

    it('when java is too old', async () => {
      const java = join(folder, 'java');
      writeFileSync(java, '#!/bin/sh\necho \'openjdk version "11.0.2"\' >&2\n');
      chmodSync(java, 0o755);

      const end = await failToStart(SERVICE, { PORT: '0', PATH: `${folder}:/bin:/usr/bin` });

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toMatch(/^java is version 11\. .*\n$/);
    });

    it('when another stack uses the data folder', async () => {
      stack = await startStack({ args: [...SERVICE, '--data', folder] });

      const failed = await failToStart([...SERVICE, '--data', folder], { PORT: '0' });

      expect(failed).toMatchObject({ code: 1, isReady: false });
      expect(failed.stderr).toContain(`${folder} is used by a stack that runs (pid `);
      expect(oneSentence(failed.stderr)).toBe(true);
    });

    it('when the data folder cannot be used', async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');

      const end = await failToStart([...SERVICE, '--data', file], env);

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toBe(`The data folder ${file} cannot be used (EEXIST).\n`);
    });

    it('when a saved stream position is damaged', async () => {
      writeFileSync(join(folder, 'stream-position.json'), '{"half":');

      const end = await failToStart([...SERVICE, '--data', folder], env);

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toContain('does not hold a stream position');
      expect(oneSentence(end.stderr)).toBe(true);
    });

    it.each([
      ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, not "http".'],
      ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
      ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
      [
        'DYNAMODB_WAIT_SECONDS',
        'long',
        'DYNAMODB_WAIT_SECONDS must be a whole number from 0 to 3600, not "long".',
      ],
      ['DYNAMODB_ENDPOINT', 'here', 'DYNAMODB_ENDPOINT must be an http or https URL, not "here".'],
      ['HOST', '203.0.113.7', 'HOST 203.0.113.7 cannot be listened on (EADDRNOTAVAIL).'],
    ])('when %s is %s', async (name, value, sentence) => {
      const end = await failToStart(SERVICE, { ...env, [name]: value });

      expect(end).toEqual({ code: 1, isReady: false, stderr: `${sentence}\n` });
    });

    it('when the other DynamoDB does not answer', async () => {
      const end = await failToStart(SERVICE, {
        ...env,
        DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
        DYNAMODB_WAIT_SECONDS: '0',
      });

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toMatch(/^DynamoDB at http:\/\/127\.0\.0\.1:1 did not answer .+\n$/);
    });

    it('when a flag is unknown', async () => {
      const end = await failToStart(['--nonsense'], env);

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(oneSentence(end.stderr)).toBe(true);
    });

    it.each([
      [
        'says why it cannot start',
        "throw new Error('JOB_RETENTION is missing.\\nmore');",
        'JOB_RETENTION is missing.\n',
      ],
      ['exports no handler', 'export const other = 1;', 'exports no handler.\n'],
    ])('when a function %s', async (_, source, sentence) => {
      writeFileSync(join(folder, 'broken.ts'), source);
      writeFileSync(
        join(folder, 'serverless.yml'),
        'service: s\nprovider: {}\nfunctions: { one: { handler: broken.handler, events: [{ httpApi: GET / }] } }\n',
      );

      const end = await failToStart(['--service', join(folder, 'serverless.yml')], env);

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr.endsWith(sentence)).toBe(true);
      expect(oneSentence(end.stderr)).toBe(true);
    });

    it('when serverless.yml says what one machine cannot do', async () => {
      const file = join(folder, 'serverless.yml');
      writeFileSync(
        file,
        'service: s\nprovider: {}\nfunctions: { one: { handler: a.b, events: [{ sns: topic }] } }\n',
      );

      const end = await failToStart(['--service', file], env);

      expect(end).toMatchObject({ code: 1, isReady: false });
      expect(end.stderr).toContain('functions.one.events.0 is not understood');
      expect(oneSentence(end.stderr)).toBe(true);
    });
  });
});
