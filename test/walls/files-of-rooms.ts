// The TypeScript files that stand in a room, as they are on disk: what is not committed yet counts too.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOMS, roomNames } from '#test/walls/rooms.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Made by builds and runs; nobody imports from there. */
const NOT_OURS = /(^|\/)(node_modules|dist)\//;

export type SourceFile = { readonly path: string; readonly source: string };

export function filesOfRooms(): SourceFile[] {
  return roomNames()
    .flatMap((name) => globSync(`${ROOMS[name].folder}/**/*.ts`, { cwd: ROOT }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NOT_OURS.test(path))
    .toSorted()
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));
}
