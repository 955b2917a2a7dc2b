// The source files of a checkout, as git knows them, and the room that each belongs to. Reads only; a file
// that is not committed yet counts too, one that git ignores never does.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is shipped or run: everything but tests. */
export const PRODUCT_FOLDERS = ['functions', 'client', 'infra'];

/** The TypeScript files under the folders, as paths from the root. */
export function sourceFiles(root: string, folders: readonly string[]): readonly string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders],
    { cwd: root, encoding: 'utf8' },
  );
  const files = listed.split('\n').filter((path) => /\.[cm]?tsx?$/.test(path));
  return files.filter((path) => existsSync(join(root, path)));
}

export function linesOf(root: string, path: string): number {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1;
}

/** `functions/store/item.ts` is in `functions/store`; the client and the local stack are one room each. */
export function roomOf(path: string): string | undefined {
  return /^(functions\/[^/]+|client|infra\/local)\//.exec(path)?.[1];
}
