// How large and how plain the code is: one Markdown table, a column for each checkout that is named, so that
// before and after can be read side by side. It changes nothing but the checkouts' `.build`.
//   npx node test/bench/house.ts [--root DIR]...

import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Figures, measureHouse } from '#test/bench/house/house-figures.ts';

const OWN_ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { values } = parseArgs({ options: { root: { type: 'string', multiple: true } } });
const roots = (values.root ?? [OWN_ROOT]).map((root) => resolve(root));
const columns: Figures[] = [];
// One after the other: each starts a database and a build.
for (const root of roots) columns.push(await measureHouse(root));

// In the order of the newest, which is named last: a room that is gone comes at the end.
const names = new Set(columns.toReversed().flatMap((column) => [...column.keys()]));
print(['', ...roots.map((root) => basename(root))]);
print(['---', ...roots.map(() => '---:')]);
for (const name of names) print([name, ...columns.map((column) => column.get(name) ?? '')]);

function print(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
