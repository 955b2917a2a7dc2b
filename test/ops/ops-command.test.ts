// `npm run ops` as a person types it: exit codes, where results and failures go, and which service it finds.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochMs } from '#idempotency/epoch.ts';
import { findStack } from '#ops/stack-file.ts';
import { makeIntent, SCHEDULE, store } from '#test/ops/audited-store.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { callerOf } from '#test/support/http-caller.ts';
import { serviceEnvironment } from '#test/support/service.ts';
import { startStack } from '#test/support/stack.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

function ops(
  args: readonly string[],
  environment: Record<string, string | undefined> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ['functions/ops/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

describe('ops over the tables that the environment names', () => {
  let database: Database;
  let environment: Record<string, string | undefined>;
  beforeEach(async () => {
    database = await freshDatabase();
    environment = { ...serviceEnvironment(database, { RETENTION_SCHEDULE: SCHEDULE }) };
  });
  afterEach(() => database.client.destroy());

  it('audit of a clean store ends with 0 and says so on stdout, progress on stderr', async () => {
    const { stored } = await makeIntent({ atMs: epochMs(Date.now() - 3_600_000), finished: true });
    await store(database.client, stored);

    const { code, out, err } = await ops(['audit'], environment);

    expect(out).toContain('No violation.');
    expect(err).toContain('auditing the tables of the environment');
    expect(code).toBe(0);
  });

  it('audit of a store with a violation ends with 1 and names it, also as JSON', async () => {
    const { stored, jobId, record } = await makeIntent({ atMs: epochMs(Date.now() - 3_600_000) });
    await store(
      database.client,
      stored.filter(({ table }) => table !== 'ExportJobs'),
    );

    const told = await ops(['audit'], environment);
    const json = await ops(['audit', '--json', '--segments', '2'], environment);

    expect(told.code).toBe(1);
    expect(told.out).toContain(`idempotencyKeys ${record.recordKey}: names job ${jobId}`);
    expect(told.out).toContain('1 violation of 1 kind.');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      violations: [{ code: 'record-without-job', item: record.recordKey }],
    });
  });

  it('inspect finds an intent, and ends with 1 when it does not agree', async () => {
    const { stored, principal } = await makeIntent({ atMs: epochMs(Date.now()), key: 'k' });
    await store(database.client, stored);
    const asked = [
      'inspect',
      '--subject',
      principal.subject,
      '--issuer',
      principal.issuer,
      '--key',
    ];

    const whole = await ops([...asked, 'k'], environment);
    const absent = await ops([...asked, 'unsent', '--json'], environment);
    const other = await makeIntent({ atMs: epochMs(Date.now()), key: 'k-2' });
    await store(
      database.client,
      other.stored.filter(({ table }) => table === 'ExportJobs'),
    );
    const broken = await ops([...asked, 'k-2'], environment);

    expect(whole.out).toContain('What is stored agrees.');
    expect(whole.code).toBe(0);
    expect(JSON.parse(absent.out)).toMatchObject({ agrees: true, record: null });
    expect(absent.code).toBe(0);
    expect(broken.out).toContain(`job ${other.jobId} has no key record`);
    expect(broken.code).toBe(1);
  });

  it.each([
    [
      ['inspect', '--subject', 's', '--issuer', 'i'],
      'Name the intent by one of --key, --job or --batch.',
    ],
    [['inspect', '--subject', 's', '--key', 'k'], 'Name the issuer'],
    [['inspect', '--key', 'k'], "required option '--subject <sub>' not specified"],
    [['inspect', '--subject', 's', '--issuer', 'i', '--key', 'a b'], 'is no idempotency key'],
    [['audit', '--segments', '0'], 'It must be a whole number from 1'],
    [['audit', '--after-restore', 'yesterday'], 'It must be an instant such as'],
    [['audit', '--after-restore', '1969-12-31T23:59:59Z'], 'It must be an instant such as'],
    [['audit', '--local', '--stage', 'prod'], 'not both'],
    [['audit', '--local', '1'], 'No stack runs on port 1. Start one with npm start'],
    [['adit'], "unknown command 'adit'"],
  ])('%j ends with 2 and says what to do', async (args, sentence) => {
    const { code, out, err } = await ops(args, environment);

    expect(err).toContain(sentence);
    expect(err).not.toContain('    at ');
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it.each([
    ['inspect --subject s --issuer i --key k', 'The store does not answer.'],
    ['audit', 'The tables cannot be described'],
  ])(
    '%s over a store that cannot be reached is a sentence, and exit code 2',
    async (args, sentence) => {
      const { code, err } = await ops(args.split(' '), {
        ...environment,
        AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      });

      expect(err).toContain(sentence);
      expect(err).not.toContain('    at ');
      expect(code).toBe(2);
    },
  );

  it.each([['--help'], ['inspect --help'], ['audit --help']])(
    '%s explains, with examples',
    async (args) => {
      const { code, out } = await ops(args.split(' '));

      expect(out).toContain('npm run ops -- ');
      expect(code).toBe(0);
    },
  );

  it('--stage reads the configuration of the deployed create function', async () => {
    const asked: string[] = [];
    const lambda = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { AWS_ENDPOINT_URL_DYNAMODB: _, ...Variables } = serviceEnvironment(database);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ Environment: { Variables } }));
    });
    await new Promise<void>((resolve) => lambda.listen(0, '127.0.0.1', resolve));
    const { port } = lambda.address() as AddressInfo;
    const { TABLE_IDEMPOTENCY_KEYS: _, ...bare } = environment;

    const { code, err } = await ops(['audit', '--stage', 'prod'], {
      ...bare,
      AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${port}`,
    });
    lambda.close();

    expect(asked).toEqual([
      '/2015-03-31/functions/export-once-prod-create-export-job/configuration',
    ]);
    expect(err).toContain('auditing stage prod');
    expect(code).toBe(0);
  });
});

describe('ops over the stack of this machine', () => {
  it('finds it by its folder, and reads its tables under its issuer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'export-once-ops-'));
    const stack = await startStack({ args: ['--data', folder] });
    const caller = await callerOf(stack, 'demo');
    await caller.putArticle('a-1');
    const { body } = await caller.create('k', { articleIds: ['a-1'], format: 'text' });
    await caller.finished(body.id);

    const inspected = await ops(['inspect', '--local', folder, '--subject', 'demo', '--key', 'k']);
    const audited = await ops(['audit', '--local', folder]);
    await stack.stop();
    const after = await ops(['audit', '--local', folder]);
    rmSync(folder, { recursive: true, force: true });

    expect(inspected.out).toContain(`${body.id} succeeded`);
    expect(inspected.out).toContain('What is stored agrees.');
    expect(inspected.code).toBe(0);
    expect(audited.code).toBe(0);
    expect(after.err).toContain('No stack runs in');
    expect(after.code).toBe(2);
  });
});

describe('the stack on this machine', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-stacks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const runs = (port: number, pid = process.pid) => {
    mkdirSync(join(folder, `run-${port}`));
    writeFileSync(
      join(folder, `run-${port}`, 'stack.json'),
      JSON.stringify({
        url: `http://127.0.0.1:${port}`,
        dynamoDbEndpoint: 'http://127.0.0.1:1',
        pids: { stack: pid },
        issuer: 'https://issuer.test',
        environment: { STAGE: 'local' },
      }),
    );
  };

  it('is found without a name when it is the only one', () => {
    runs(8787);

    expect(findStack(undefined, folder).url).toBe('http://127.0.0.1:8787');
  });

  it('must be named when there are several', () => {
    runs(8787);
    runs(8788);

    expect(() => findStack(undefined, folder)).toThrow(
      'Several stacks run, on the ports 8787, 8788.',
    );
    expect(findStack('8788', folder).url).toBe('http://127.0.0.1:8788');
  });

  it('is not what a killed one left behind', () => {
    runs(8787, 2 ** 22 + 1);

    expect(() => findStack(undefined, folder)).toThrow('No stack runs on this machine.');
  });
});
