// The page on exit codes is what the command does. `WRITE_DOCS=1 npx vitest run` of this file writes it.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandLine, commandLine } from '#test/client/command.ts';
import { exitCodeTable, meaningsTable } from '#test/client/exit-code-table.ts';

const PAGE = new URL('../../docs/client/exit-codes.md', import.meta.url);
const HERE =
  /(<!-- (meanings|table): made by running the command -->\n\n)(?:.|\n)*?(\n\n<!-- end -->)/g;

let command: CommandLine;
beforeAll(async () => {
  command = await commandLine('', 'token');
});
afterAll(() => command.remove());

it('each command ends in each situation as the page shows', { timeout: 300_000 }, async () => {
  const table = await exitCodeTable(command);

  const page = readFileSync(PAGE, 'utf8');
  const made = page.replace(HERE, (_, before: string, what: string, after: string) =>
    [before, what === 'table' ? table : meaningsTable(), after].join(''),
  );
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, made);
  expect(page.match(HERE)).toHaveLength(2);
  expect(readFileSync(PAGE, 'utf8')).toBe(made);
});
