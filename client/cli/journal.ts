// Intents on disk, one file each. 1. An intent is kept before it is sent, and stays open until its outcome
// is known, so that after a kill, a crash or a lost network it can be settled. 2. Knowledge only grows:
// `executed` is never taken back, and a refusal closes only what the refused sender had opened. 3. What
// cannot be closed is said to be open. 4. A file that cannot be read stops nothing but its own intent.

import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LocalError, messageOf } from '#client/cli/exit-codes.ts';
import { type Intent, parseIntent, type Scope } from '#client/cli/intent.ts';
import {
  makeFolder,
  NotDurable,
  namesIn,
  readIfThere,
  removeFile,
  WRITING,
  writeAtomically,
} from '#client/cli/journal-files.ts';

export interface Journal {
  readonly folder: string;
  readonly fileOf: (key: string, scope: Scope) => string;
  /** The key as the service writes it. @throws LocalError */
  readonly find: (key: string, scope: Scope) => Intent | undefined;
  /**
   * Opens an intent that is about to be sent; one that was executed stays as it is.
   * @throws LocalError when it is not kept; StillOpen when what was kept of it cannot be taken back
   */
  readonly keep: (intent: Intent) => Promise<void>;
  readonly close: (intent: Intent, ending: Ending) => Promise<Closing>;
  /** Open intents in the order they were made, and files that are none. */
  readonly openIntents: () => { readonly intents: readonly Intent[]; readonly damaged: string[] };
  /** Removes intents settled long ago, and what a kill left of a write. */
  readonly tidy: (nowMs: number) => void;
}

export type Ending =
  | { readonly kind: 'executed'; readonly jobId?: string | undefined }
  /** `byAll`: no sender's attempt will be executed. Otherwise only this sender's was not. */
  | { readonly kind: 'not-executed'; readonly byAll?: boolean };

/** `open`: `resume` would find it open. */
export type Closing = { readonly kind: 'closed' } | { readonly kind: 'open'; readonly why: string };

/** An intent that was not sent is in the journal all the same: `resume` would send it. */
export class StillOpen extends Error {
  override readonly name = 'StillOpen';
}

/** Settled intents are kept this long, milliseconds: a record of what was done. */
const KEEP_SETTLED_MS = 30 * 86_400_000;
/** A write takes milliseconds; a file of one that is this old was left by a kill. */
const LEFT_OVER_MS = 3_600_000;
const SUFFIX = '.intent.json';
const CLOSED: Closing = { kind: 'closed' };

export function openJournal(folder: string): Journal {
  const fileOf = (key: string, { url, principal = '' }: Scope) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([url, principal, key]))
      .digest('hex');
    // The time of a UUIDv7 comes first, so that names sort by age.
    const name = /^[0-9a-f-]{36}$/.test(key) ? `${key}-${hash.slice(0, 12)}` : hash;
    return join(folder, `${name}${SUFFIX}`);
  };
  const find = (key: string, scope: Scope) => intentIn(fileOf(key, scope));
  const cannotBeKept = (cause: unknown) =>
    new LocalError(`The intent cannot be kept in ${folder}: ${messageOf(cause)}`, { cause });
  const write = async (intent: Intent) => {
    try {
      makeFolder(folder);
      await writeAtomically(fileOf(intent.key, intent), `${JSON.stringify(intent, null, 2)}\n`);
    } catch (cause) {
      throw cannotBeKept(cause);
    }
  };
  const isExecuted = (intent: Intent) => {
    try {
      return find(intent.key, intent)?.state === 'executed';
    } catch (cause) {
      throw cannotBeKept(cause);
    }
  };
  return {
    folder,
    fileOf,
    find,
    async keep(intent) {
      if (isExecuted(intent)) return;
      try {
        await write(intent);
      } catch (error) {
        if (!(error instanceof LocalError && error.cause instanceof NotDurable)) throw error;
        const closing = await recordRefusal({ kept: intent, intent, byAll: false }, fileOf, write);
        throw closing.kind === 'closed' ? error : new StillOpen(error.message, { cause: error });
      }
    },
    async close(intent, ending) {
      try {
        const kept = find(intent.key, intent);
        return ending.kind === 'executed'
          ? await recordExecution(kept ?? intent, ending.jobId, write)
          : await recordRefusal({ kept, intent, byAll: ending.byAll === true }, fileOf, write);
      } catch (error) {
        return { kind: 'open', why: messageOf(error) };
      }
    },
    openIntents: () => readOpen(folder, fileOf),
    tidy: (nowMs) => tidy(folder, nowMs),
  };
}

/** An intent that is about to be sent. */
export function openedIntent(
  { key, params, createdAt }: Pick<Intent, 'key' | 'params' | 'createdAt'>,
  scope: Scope,
): Intent {
  const opening = randomBytes(8).toString('hex');
  return { version: 1, key, ...scope, params, createdAt, state: 'open', opening };
}

type Write = (intent: Intent) => Promise<void>;

async function recordExecution(
  intent: Intent,
  jobId: string | undefined,
  write: Write,
): Promise<Closing> {
  const job = jobId ?? intent.jobId;
  await write({ ...intent, ...settledNow('executed'), ...(job !== undefined && { jobId: job }) });
  return CLOSED;
}

interface Refusal {
  readonly kept: Intent | undefined;
  readonly intent: Intent;
  readonly byAll: boolean;
}

async function recordRefusal(
  { kept, intent, byAll }: Refusal,
  fileOf: Journal['fileOf'],
  write: Write,
): Promise<Closing> {
  if (kept?.state !== 'open') return CLOSED;
  // Another process has opened it since: what it sent may yet be executed.
  if (!byAll && kept.opening !== intent.opening) return CLOSED;
  try {
    await write({ ...kept, ...settledNow('not-executed') });
  } catch (error) {
    // No room for a line is no reason to leave it open: to remove a file takes none.
    const why = removeFile(fileOf(kept.key, kept));
    if (why !== undefined) return { kind: 'open', why: `${messageOf(error)}; ${why}` };
  }
  return CLOSED;
}

function settledNow(state: 'executed' | 'not-executed'): Pick<Intent, 'state' | 'settledAt'> {
  return { state, settledAt: new Date().toISOString() };
}

/** @throws LocalError */
function intentIn(file: string): Intent | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const intent = parseIntent(text);
  if (intent === undefined) throw new LocalError(`${file} is no intent that can be read.`);
  return intent;
}

function readOpen(folder: string, fileOf: Journal['fileOf']): ReturnType<Journal['openIntents']> {
  const intents: Intent[] = [];
  const damaged: string[] = [];
  for (const name of namesIn(folder).filter((one) => one.endsWith(SUFFIX))) {
    try {
      const intent = intentIn(join(folder, name));
      // A copy under another name would stay open for ever, however often it is settled.
      if (intent && basename(fileOf(intent.key, intent)) !== name) damaged.push(join(folder, name));
      else if (intent?.state === 'open') intents.push(intent);
    } catch {
      damaged.push(join(folder, name));
    }
  }
  return { intents: intents.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)), damaged };
}

function tidy(folder: string, nowMs: number): void {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    try {
      const ageMs = nowMs - statSync(file).mtimeMs;
      const isLeftOver = name.endsWith(WRITING) && ageMs > LEFT_OVER_MS;
      const isOld = name.endsWith(SUFFIX) && ageMs > KEEP_SETTLED_MS;
      if (isLeftOver || (isOld && intentIn(file)?.state !== 'open')) removeFile(file);
    } catch {
      // What cannot be looked at is left alone: there is no hurry, and `resume` names it.
    }
  }
}
