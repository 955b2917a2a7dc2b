// `npm run walls`: every import of the repository against the table of rooms, in a second. Prints one
// sentence for each that breaks a wall, and ends with 1 then. The tests hold the same.

import { brokenWalls } from '#test/walls/broken-walls.ts';
import { filesOfRooms } from '#test/walls/files-of-rooms.ts';

const broken = filesOfRooms().flatMap(({ path, source }) => brokenWalls(path, source));
for (const sentence of broken) process.stderr.write(`${sentence}\n`);
process.exitCode = broken.length === 0 ? 0 : 1;
