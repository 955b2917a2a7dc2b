// Files of the journal. Promises: a write is there as a whole or not at all, and is durable when it
// returns (a file of its own, fsync, rename, fsync of the folder); a name that is no regular file is never
// waited for; a folder that cannot be made ends at once.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { LocalError, messageOf, systemCodeOf } from '#client/cli/exit-codes.ts';

/** The longest intent is a create of 100 KB with escapes and indentation, bytes. */
const INTENT_BYTES_MAX = 1024 * 1024;
export const WRITING = '.writing';

/** One folder at a time: Node's recursive mkdir never returns where the parent itself refuses (/proc). */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      // Another process has made it meanwhile.
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** The file has its new text, but a crash may yet take it back. */
export class NotDurable extends Error {
  override readonly name = 'NotDurable';
}

/** @throws NotDurable; after any other error the file is as it was */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  const writing = join(folder, `${randomBytes(8).toString('hex')}${WRITING}`);
  try {
    const handle = await open(writing, 'wx', 0o600);
    const written = handle.writeFile(text).then(() => handle.sync());
    await written.finally(() => handle.close());
    await rename(writing, file);
  } catch (error) {
    await rm(writing, { force: true }).catch(() => {});
    throw error;
  }
  // The name is durable only when the folder is. Windows has no such thing, and refuses to open it.
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (cause) {
    throw new NotDurable(messageOf(cause), { cause });
  }
}

/** @throws LocalError when it is there and cannot be read */
export function readIfThere(file: string): string | undefined {
  try {
    return readRegular(file);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw new LocalError(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Without O_NONBLOCK a named pipe would be waited for. */
function readRegular(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('it is no regular file');
    if (stat.size > INTENT_BYTES_MAX) throw new Error('it is too large');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** @returns why it is still there, or undefined when it is gone */
export function removeFile(file: string): string | undefined {
  try {
    rmSync(file, { force: true });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** @throws LocalError */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw new LocalError(`${folder} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
