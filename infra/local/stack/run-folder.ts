// Where one run of the stack leaves what a person may want to read: logs of the functions, dead
// letters, process IDs; and the files of the S3 server. With --data it is that folder and is kept;
// otherwise .local/run-PORT, emptied at each start, and
// removed at the end when the port was any free one: nobody would come back to it.

import { mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writableFolder } from '#local/dynamodb/dynamodb-local.ts';
import { LOCAL_FOLDER } from '#local/gateway/signing-key.ts';
import { lockFolder } from '#local/stack/folder-lock.ts';

export interface RunFolder {
  readonly path: string;
  readonly logFile: string;
  readonly logFd: number;
  readonly deadLettersFile: string;
  readonly s3Folder: string;
  /** Undefined: the tables live in memory. */
  readonly tablesFolder: string | undefined;
  readonly positionFile: string | undefined;
  /** Tells programs what runs where: see StackStatus. */
  writeStatus(status: object): void;
  /** Removes what only made sense while running. */
  close(): void;
}

/** @throws Sentence when the folder cannot be used */
export function openRunFolder(
  dataFolder: string | undefined,
  { port, isChosen }: { readonly port: number; readonly isChosen: boolean },
): RunFolder {
  const path = dataFolder ?? join(LOCAL_FOLDER, `run-${port}`);
  if (dataFolder === undefined) rmSync(path, { recursive: true, force: true });
  writableFolder(path);
  const unlock = lockFolder(path);
  const logFile = join(path, 'functions.log');
  const s3Folder = join(path, 's3');
  const statusFile = join(path, 'stack.json');
  mkdirSync(s3Folder, { recursive: true });
  return {
    path,
    logFile,
    logFd: openSync(logFile, 'a'),
    deadLettersFile: join(path, 'dead-letters.ndjson'),
    s3Folder,
    tablesFolder: dataFolder === undefined ? undefined : join(path, 'tables'),
    positionFile: dataFolder === undefined ? undefined : join(path, 'stream-position.json'),
    writeStatus(status) {
      // Renamed into place: a reader never sees half of it.
      writeFileSync(`${statusFile}.new`, `${JSON.stringify(status, null, 2)}\n`);
      renameSync(`${statusFile}.new`, statusFile);
    },
    close() {
      rmSync(statusFile, { force: true });
      unlock();
      if (dataFolder !== undefined) return;
      rmSync(isChosen ? s3Folder : path, { recursive: true, force: true });
    },
  };
}
