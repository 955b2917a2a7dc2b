// What breaks a wall in one file, each in one sentence that says where, what, and which wall. Judges
// only by the table of rooms. A relative import is judged by where it leads, so none slips past.

import { dirname, join } from 'node:path/posix';
import { importsOf } from '#test/walls/imports-of.ts';
import { ROOMS, type RoomName, roomOf, roomOfAlias } from '#test/walls/rooms.ts';

/** @param path from the root of the repository, with slashes */
export function brokenWalls(path: string, source: string): string[] {
  const name = roomOf(path);
  if (name === undefined) return [];
  return importsOf(path, source).flatMap(({ from, line }) => {
    const wall = wallBefore(name, path, from);
    return wall === undefined ? [] : [`${path}:${line} imports ${from}: ${wall}`];
  });
}

function wallBefore(name: RoomName, path: string, from: string): string | undefined {
  const { mayNotUse, knows } = ROOMS[name];
  if (from.startsWith('#') || from.startsWith('.')) {
    const to = from.startsWith('#') ? roomOfAlias(from) : roomOf(join(dirname(path), from));
    if (to === name || (to !== undefined && ROOMS[name].mayImport.includes(to))) return undefined;
    return `${name} may import ${allowed(name)}; it knows ${knows}.`;
  }
  const isForbidden = mayNotUse.some((pattern) =>
    pattern.endsWith('*') ? from.startsWith(pattern.slice(0, -1)) : from === pattern,
  );
  return isForbidden ? `${name} may not use that package; it knows ${knows}.` : undefined;
}

function allowed(name: RoomName): string {
  return ROOMS[name].mayImport.join(', ') || 'no other room';
}
