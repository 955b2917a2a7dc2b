// The walls stand by one table: a wrong import fails, in one sentence that names the wall, and this
// shows that it does. The maps that people read say the same as the table.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { brokenWalls } from '#test/walls/broken-walls.ts';
import { filesOfRooms } from '#test/walls/files-of-rooms.ts';
import { importsOf } from '#test/walls/imports-of.ts';
import { ROOMS, roomNames, roomOf } from '#test/walls/rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const importing = (from: string) => `import { x } from '${from}';\nexport const y = x;\n`;

describe('the walls', () => {
  it('stand: no file imports what its room may not', () => {
    const files = filesOfRooms();

    const broken = files.flatMap(({ path, source }) => brokenWalls(path, source));

    expect(broken).toEqual([]);
    // Every room was looked at, and not an empty folder.
    expect(new Set(files.map(({ path }) => roomOf(path))).size).toBe(roomNames().length);
  });

  it.each([
    ['functions/contract/wrong.ts', '#http/edge.ts'],
    ['functions/contract/wrong.ts', '#export-jobs/job.ts'],
    ['functions/idempotency/wrong.ts', '#contract/limits.ts'],
    ['functions/idempotency/wrong.ts', '#store/item.ts'],
    ['functions/idempotency/wrong.ts', '@aws-sdk/client-dynamodb'],
    ['functions/rendering/wrong.ts', '#export-jobs/job.ts'],
    ['functions/rendering/wrong.ts', '#store/item.ts'],
    ['functions/rendering/wrong.ts', 'node:https'],
    ['functions/export-jobs/wrong.ts', '#store/item.ts'],
    ['functions/export-jobs/wrong.ts', '#http/edge.ts'],
    ['functions/store/wrong.ts', '#http/edge.ts'],
    ['functions/store/wrong.ts', '#handlers/wiring.ts'],
    ['functions/store/wrong.ts', '#rendering/render-export.ts'],
    ['functions/http/wrong.ts', '#store/item.ts'],
    ['functions/http/wrong.ts', '#worker/run-job.ts'],
    ['functions/http/wrong.ts', '@aws-sdk/client-s3'],
    ['functions/http/routes/wrong.ts', '../../store/item.ts'],
    ['functions/http/wrong.ts', './../store/item.ts'],
    ['functions/worker/wrong.ts', '#store/item.ts'],
    ['functions/ops/wrong.ts', '#http/edge.ts'],
    ['functions/handlers/wrong.ts', '#test/support/dynamodb.ts'],
    ['client/wrong.ts', '#idempotency/epoch.ts'],
    ['client/wrong.ts', '#http/edge.ts'],
    ['infra/local/wrong.ts', '#handlers/config.ts'],
    ['infra/local/wrong.ts', '#nowhere/file.ts'],
  ])('%s cannot import %s', (path, from) => {
    const broken = brokenWalls(path, importing(from));

    expect(broken).toEqual([expect.stringContaining(`${path}:1 imports ${from}: `)]);
    expect(broken[0]).toMatch(new RegExp(`: ${roomOf(path)} may .*; it knows [^\\n]*\\.$`));
  });

  it.each([
    ['functions/contract/right.ts', '#idempotency/idempotency-key.ts'],
    ['functions/export-jobs/right.ts', '#rendering/render-export.ts'],
    ['functions/store/right.ts', '#export-jobs/job.ts'],
    ['functions/store/right.ts', '@aws-sdk/client-dynamodb'],
    ['functions/http/right.ts', '#export-jobs/job.ts'],
    ['functions/http/routes/right.ts', '../answer.ts'],
    ['functions/handlers/right.ts', '#store/item.ts'],
    ['client/right.ts', '#contract/limits.ts'],
  ])('%s can import %s', (path, from) => {
    expect(brokenWalls(path, importing(from))).toEqual([]);
  });

  it.each([
    ["import type { A } from '#store/a.ts';"],
    ["import { type A } from '#store/a.ts';"],
    ["export type { A } from '#store/a.ts';"],
    ["export * from '#store/a.ts';"],
    ["import '#store/a.ts';"],
    ["type A = import('#store/a.ts').A;"],
    ["const a = await import('#store/a.ts');"],
  ])('an import is seen in whatever form: %s', (source) => {
    expect(importsOf('functions/http/any.ts', `\n${source}\n`)).toEqual([
      { from: '#store/a.ts', line: 2 },
    ]);
  });

  it('what stands in a string or a comment is no import', () => {
    const source = `const a = "import { x } from '#store/a.ts'"; // from '#store/b.ts'\n`;

    expect(importsOf('functions/http/any.ts', source)).toEqual([]);
  });
});

describe('the table of rooms', () => {
  it('has every alias of package.json, and no other', () => {
    const { imports } = JSON.parse(read('package.json'));

    expect(imports).toEqual(
      Object.fromEntries(
        roomNames().map((name) => [`${ROOMS[name].alias}/*`, `./${ROOMS[name].folder}/*`]),
      ),
    );
  });

  it('has every folder of functions', () => {
    const folders = readdirSync(join(ROOT, 'functions')).map((folder) => `functions/${folder}`);

    expect(folders.filter((folder) => roomOf(`${folder}/any.ts`) === undefined)).toEqual([]);
  });

  it('is what CONTRIBUTING says of who may import what', () => {
    const rows = tableAfter(read('CONTRIBUTING.md'), 'room');

    expect(rows).toEqual(
      roomNames().map((name) => [
        `\`${ROOMS[name].folder}\``,
        ROOMS[name].knows,
        name === 'test' ? 'all' : ROOMS[name].mayImport.join(', ') || '–',
      ]),
    );
  });

  it("has the rooms of the README's map", () => {
    const map = read('README.md').split('\n## The map\n')[1]?.split('\n## ')[0] ?? '';

    const missing = roomNames().filter((name) => !map.includes(`\`${ROOMS[name].folder}\``));

    expect(missing).toEqual([]);
  });
});

/** The cells of the rows of the first table whose first column is headed so. */
function tableAfter(markdown: string, heading: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Lints one file as if it stood in the repository. */
function lint(path: string, source: string): { readonly ok: boolean; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-lint-'));
  try {
    cpSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
    const { status, stdout, stderr } = spawnSync(
      join(ROOT, 'node_modules/.bin/biome'),
      ['lint', '--vcs-enabled=false', '--colors=off', path],
      { cwd: folder, encoding: 'utf8' },
    );
    return { ok: status === 0, said: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('lint refuses', () => {
  it.each([
    ["zod by its name, which bundles all of it: import { z } from 'zod'", 'noRestrictedImports'],
    ["a way up: import { z } from '../store/item.ts'", 'noRestrictedImports'],
    ["a way up behind a dot: import { z } from './../store/item.ts'", 'noRestrictedImports'],
  ])('%s', (title, rule) => {
    const line = title.slice(title.indexOf('import'));

    const { ok, said } = lint('functions/http/wrong.ts', `${line};\nexport const y = z;\n`);

    expect(said).toContain(rule);
    expect(ok).toBe(false);
  });

  it('nothing of zod as a namespace', () => {
    const source = "import * as z from 'zod';\nexport const y = z;\n";

    expect(lint('functions/http/right.ts', source)).toMatchObject({ ok: true });
  });

  it('file names that are not kebab-case', () => {
    expect(lint('functions/http/wrongName.ts', 'export const y = 1;\n').ok).toBe(false);
  });

  it.each([
    [3, true],
    [4, false],
  ])('functions of more than three parameters: %i', (count, ok) => {
    const names = Array.from({ length: count }, (_, index) => `p${index}: number`).join(', ');

    const linted = lint(
      'functions/ops/any.ts',
      `export function add(${names}) {\n  return p0;\n}\n`,
    );

    expect(linted.said.includes('useMaxParams')).toBe(!ok);
  });
});

describe('the idempotency room', () => {
  it('says nothing of exports, HTTP or DynamoDB in its code', () => {
    const code = filesOfRooms()
      .filter(({ path }) => roomOf(path) === 'idempotency')
      .map(({ source }) => source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''))
      .join('\n');

    expect(code).toContain('function commitOnce');
    expect(code).not.toMatch(/export-?job|dynamodb|statusCode|article|sourceBatch/i);
  });
});
