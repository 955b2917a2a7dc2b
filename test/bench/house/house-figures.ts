// All figures of one checkout, as rows of a table: what it is, and how much. A row that one checkout has and
// another has not (a room that moved) stays empty there.

import { measureBundles } from '#test/bench/house/bundle-sizes.ts';
import { countCasts } from '#test/bench/house/casts.ts';
import { measureCreate } from '#test/bench/house/create-coverage.ts';
import { countFindings } from '#test/bench/house/lint-counts.ts';
import { linesOf, PRODUCT_FOLDERS, roomOf, sourceFiles } from '#test/bench/house/own-files.ts';

export type Figures = ReadonlyMap<string, string>;

/** What holds style and walls: biome's rules, and beside them the table of rooms and what reads it. */
const LINT_FILE = 'biome.json';
const WALLS = 'test/walls';

export async function measureHouse(root: string): Promise<Figures> {
  const create = await measureCreate(root);
  const product = countFindings(root, PRODUCT_FOLDERS);
  const tests = countFindings(root, ['test']);
  return new Map([
    ...roomRows(root),
    ['one create: files loaded', `${create.filesLoaded}`],
    ['one create: files run', `${create.filesRun}`],
    ['one create: functions run', `${create.functionsRun}`],
    ['cognitive complexity over 15: product', `${product.complex}`],
    ['cognitive complexity over 15: tests', `${tests.complex}`],
    ['over three parameters: product', `${product.manyParameters}`],
    ['over three parameters: tests', `${tests.manyParameters}`],
    ['`as` casts: product', `${countCasts(root, PRODUCT_FOLDERS)}`],
    ['lines of lint configuration', `${linesOf(root, LINT_FILE)}`],
    ['lines of the walls beside it', `${wallLines(root)}`],
    ...bundleRows(root),
  ]);
}

function roomRows(root: string): [string, string][] {
  const rooms = new Map<string, { lines: number; files: number }>();
  for (const path of sourceFiles(root, PRODUCT_FOLDERS)) {
    for (const name of [roomOf(path) ?? 'the rest of infra', 'all rooms']) {
      const { lines, files } = rooms.get(name) ?? { lines: 0, files: 0 };
      rooms.set(name, { lines: lines + linesOf(root, path), files: files + 1 });
    }
  }
  return [...rooms]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { lines, files }]) => [`lines (files): ${name}`, `${lines} (${files})`]);
}

function wallLines(root: string): number {
  return sourceFiles(root, [WALLS]).reduce((sum, path) => sum + linesOf(root, path), 0);
}

function bundleRows(root: string): [string, string][] {
  const sizes = measureBundles(root);
  const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [
    ...[...sizes].map(([name, bytes]): [string, string] => [`bytes: ${name}`, `${bytes}`]),
    ['bytes: all bundles', `${all}`],
  ];
}
