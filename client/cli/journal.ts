// Intents on disk: what was going to be sent, under which key, and what became of it. An intent is
// written before it is sent and stays open until its outcome is known, so that after a kill, a crash or a
// lost network it can be settled. One file an intent; each write is atomic (a file of its own, fsync,
// rename, fsync of the folder). Must never hold a token.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalError } from '#client/cli/exit-codes.ts';
import type { CreateExportJobParams } from '#client/export-job.ts';

/** Whose intent: the same key means another intent at another address or for another caller. */
export interface Scope {
  readonly url: string;
  /** From the token's claims; undefined when the token has none that can be read. */
  readonly principal?: string;
}

export interface Intent extends Scope {
  readonly version: 1;
  readonly key: string;
  readonly params: CreateExportJobParams;
  readonly createdAt: string;
  readonly state: 'open' | 'executed' | 'not-executed';
  readonly jobId?: string;
  readonly settledAt?: string;
}

export interface Journal {
  readonly folder: string;
  readonly fileOf: (key: string, scope: Scope) => string;
  readonly find: (key: string, scope: Scope) => Intent | undefined;
  readonly write: (intent: Intent) => Promise<void>;
  /** Open intents in the order they were made, and names of files that cannot be read. */
  readonly openIntents: () => { readonly intents: readonly Intent[]; readonly damaged: string[] };
  /** Removes intents settled long ago, and what a kill left of a write. */
  readonly tidy: (nowMs: number) => void;
}

/** Settled intents are kept this long, milliseconds: a record of what was done. */
const KEEP_SETTLED_MS = 30 * 86_400_000;
/** A write takes milliseconds; a file of one that is this old was left by a kill. */
const LEFT_OVER_MS = 3_600_000;
const SUFFIX = '.intent.json';

export function openJournal(folder: string): Journal {
  const fileOf = (key: string, { url, principal = '' }: Scope) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([url, principal, key]))
      .digest('hex');
    // The time of a UUIDv7 comes first, so that names sort by age.
    const name = /^[0-9a-f-]{36}$/.test(key) ? `${key}-${hash.slice(0, 12)}` : hash;
    return join(folder, `${name}${SUFFIX}`);
  };
  return {
    folder,
    fileOf,
    find(key, scope) {
      const file = fileOf(key, scope);
      const text = readIfThere(file);
      if (text === undefined) return undefined;
      const intent = parseIntent(text);
      if (intent === undefined) throw new LocalError(`${file} is no intent that can be read.`);
      return intent;
    },
    async write(intent) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        await writeAtomically(
          folder,
          fileOf(intent.key, intent),
          `${JSON.stringify(intent, null, 2)}\n`,
        );
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : cause;
        throw new LocalError(`The intent cannot be kept in ${folder}: ${why}`, { cause });
      }
    },
    openIntents() {
      const intents: Intent[] = [];
      const damaged: string[] = [];
      for (const name of namesIn(folder)) {
        if (!name.endsWith(SUFFIX)) continue;
        const text = readIfThere(join(folder, name));
        const intent = text === undefined ? undefined : parseIntent(text);
        if (intent === undefined) damaged.push(join(folder, name));
        else if (intent.state === 'open') intents.push(intent);
      }
      return { intents: intents.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)), damaged };
    },
    tidy(nowMs) {
      for (const name of namesIn(folder)) {
        const file = join(folder, name);
        const ageMs = nowMs - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
        const isLeftOver = name.endsWith('.writing') && ageMs > LEFT_OVER_MS;
        if (isLeftOver) rmSync(file, { force: true });
        if (!name.endsWith(SUFFIX) || ageMs <= KEEP_SETTLED_MS) continue;
        const intent = parseIntent(readIfThere(file) ?? '');
        if (intent !== undefined && intent.state !== 'open') rmSync(file, { force: true });
      }
    },
  };
}

async function writeAtomically(folder: string, file: string, text: string): Promise<void> {
  const writing = join(folder, `${randomBytes(8).toString('hex')}.writing`);
  try {
    const handle = await open(writing, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(writing, file);
  } catch (error) {
    await rm(writing, { force: true });
    throw error;
  }
  // The name is durable only when the folder is. Windows has no such thing, and refuses to open it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function parseIntent(text: string): Intent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isIntent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null) return false;
  const { version, key, url, params, createdAt, state } = value as Record<string, unknown>;
  return (
    version === 1 &&
    [key, url, createdAt].every((member) => typeof member === 'string') &&
    typeof params === 'object' &&
    params !== null &&
    (state === 'open' || state === 'executed' || state === 'not-executed')
  );
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new LocalError(`${file} cannot be read.`, { cause: error });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new LocalError(`${folder} cannot be read.`, { cause: error });
  }
}
