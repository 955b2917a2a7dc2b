// The whole local stack as a child process, started as a user starts it, for tests. Uses the run's
// DynamoDB Local under an access key ID of its own, unless a test wants the stack's own or a proxy.
// Behind a wire proxy, `proxy.clear()` after the start: making tables and samples are requests too.
// Promises: `stop` leaves no process behind; a stack that does not start throws with what it said.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { signToken, type TokenOptions } from '#local/gateway/jwt.ts';
import { loadSigningKey } from '#local/gateway/signing-key.ts';
import type { StackStatus } from '#local/stack/stack.ts';
import { emptyDatabase } from '#test/support/dynamodb.ts';
import { keepLog } from '#test/support/test-log.ts';

export interface StackOptions {
  /** Reaches the stack and its functions. Give AWS_ACCESS_KEY_ID to choose the database. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags, for example `['--data', folder]`. Samples are not put unless `samples`. */
  readonly args?: readonly string[];
  readonly samples?: boolean;
  /** True: the stack starts a DynamoDB Local of its own. */
  readonly ownDynamoDb?: boolean;
  /** True: a process group of its own, as a shell makes one for a job. */
  readonly ownProcessGroup?: boolean;
}

export interface RunningStack {
  readonly url: string;
  readonly process: ChildProcess;
  /** Where everything listens, and the process IDs as they are now. */
  status(): StackStatus;
  pids(): StackStatus['pids'];
  /** Everything it has said so far, both streams. */
  output(): string;
  token(subject: string, options?: TokenOptions): Promise<string>;
  /** NDJSON files of the run folder; empty when there is none. */
  deadLetters(): readonly Record<string, unknown>[];
  functionsLog(): string;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function startStack(options: StackOptions = {}): Promise<RunningStack> {
  // A run folder of its own, unless the test names one: dead letters and logs are asked for below.
  const given = options.args?.indexOf('--data') ?? -1;
  const folder = given >= 0 ? options.args?.[given + 1] : undefined;
  const temporary = folder === undefined ? mkdtempSync(join(tmpdir(), 'export-once-')) : undefined;
  const runFolder = folder ?? temporary ?? '';
  const process = runStart(
    [
      ...(options.samples ? [] : ['--no-samples']),
      ...(temporary === undefined ? [] : ['--data', temporary]),
      ...(options.args ?? []),
    ],
    {
      PORT: '0',
      ...(options.ownDynamoDb ? {} : sharedDynamoDb()),
      ...options.env,
    },
    { detached: options.ownProcessGroup },
  );
  const said: string[] = [];
  const exited = new Promise<{ code: number | null; signal: string | null }>((done) =>
    process.once('close', (code, signal) => done({ code, signal })),
  );
  const url = await readyUrl(process, said, exited);
  const read = (name: string) => {
    try {
      return readFileSync(join(runFolder, name), 'utf8');
    } catch {
      return '';
    }
  };
  const status = (): StackStatus => JSON.parse(read('stack.json'));
  return {
    url,
    process,
    status,
    pids: () => status().pids,
    output: () => said.join('\n'),
    token: (subject, claims) => signToken(loadSigningKey(), subject, claims),
    deadLetters: () =>
      read('dead-letters.ndjson')
        .split('\n')
        .filter(Boolean)
        .map((l) => JSON.parse(l)),
    functionsLog: () => read('functions.log'),
    async stop(signal = 'SIGTERM') {
      process.kill(signal);
      const end = await exited;
      keepLog(read('functions.log'));
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
      return end;
    },
  };
}

/** `npm start` without npm: the same file, the same variables, and an environment like a shell's. */
export function runStart(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  {
    detached = false,
    root = ROOT,
  }: { detached?: boolean | undefined; root?: string | undefined } = {},
) {
  return spawn(process.execPath, [join(root, 'infra/local/start.ts'), ...args], {
    cwd: root,
    env: { ...shellEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
}

/** What a user's shell has: nothing of the test runner, no address or key of any AWS. */
function shellEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|VITEST|DYNAMODB_ENDPOINT$|NODE_ENV$|NODE_OPTIONS$|PORT$|HOST$)/.test(name),
  );
  return Object.fromEntries(kept);
}

function sharedDynamoDb(): Record<string, string> {
  const { AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_ENDPOINT = '', ...rest } =
    emptyDatabase().environment();
  return { DYNAMODB_ENDPOINT, ...rest };
}

async function readyUrl(
  process: ChildProcess,
  said: string[],
  exited: Promise<unknown>,
): Promise<string> {
  const ready = Promise.withResolvers<string>();
  for (const stream of [process.stdout, process.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on('line', (line) => {
      said.push(line);
      if (line.startsWith('ready ')) ready.resolve(line.slice('ready '.length));
    });
  }
  const ended = exited.then((): never => {
    throw new Error(`the stack ended before it was ready:\n${said.join('\n')}`);
  });
  return Promise.race([ready.promise, ended]);
}
