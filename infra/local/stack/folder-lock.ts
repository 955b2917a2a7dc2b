// One stack at a time on one data folder: two DynamoDB Locals on the same files would each answer for
// itself, and one key would make two jobs. The lock names its process; that of a dead one is taken over.

import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Sentence } from '#local/stack/sentence.ts';

/** @returns gives the folder back. @throws Sentence when a running stack has it */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'stack.lock');
  for (;;) {
    try {
      const lock = openSync(file, 'wx');
      writeSync(lock, `${process.pid}\n`);
      closeSync(lock);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(file);
    if (holder !== undefined && isAlive(holder)) {
      throw new Sentence(
        `The data folder ${folder} is used by a stack that runs (pid ${holder}): stop that one, or name another folder.`,
      );
    }
    rmSync(file, { force: true });
  }
}

function holderOf(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // gone meanwhile: the next turn takes it
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
