// The README and the maps of the documentation are held against the code: rows that are played, rooms and
// commands that exist, links and paths that lead somewhere.

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROMISE_TABLE } from '#test/promises/promise-table.ts';
import { fileLinks, sectionsOf, tableRows } from '#test/support/markdown.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const foldersIn = (path: string) =>
  readdirSync(join(ROOT, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());

const readme = read('README.md');
const sections = sectionsOf(readme);
/** Two screens. */
const LINES_BEFORE_MAP_MAX = 80;

describe('the README', () => {
  it('shows eight rows of the promise, each as it is played', () => {
    const played = Object.values(PROMISE_TABLE)
      .flat()
      .map(({ situation, answer }) => `${situation} | ${answer}`);
    const shown = tableRows(sections['The promise'] ?? '').map((cells) => cells.join(' | '));

    expect(shown).toHaveLength(8);
    expect(shown.filter((row) => !played.includes(row))).toEqual([]);
  });

  it('comes to the map within two screens', () => {
    const lines = readme.split('\n');

    expect(lines.indexOf('## The map')).toBeGreaterThan(0);
    expect(lines.indexOf('## The map')).toBeLessThanOrEqual(LINES_BEFORE_MAP_MAX);
  });

  it('maps every room, and no other', () => {
    const mapped = tableRows(sections['The map'] ?? '').map(([room = '']) => room);
    const rooms = foldersIn('functions').map(({ name }) => `functions/${name}`);
    const all = [...rooms, 'client', 'infra', 'infra/local', 'test'];

    expect(mapped.toSorted()).toEqual(all.map((room) => `\`${room}\``).toSorted());
  });

  it('names every npm script, and no other', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const told = tableRows(sections.Commands ?? '').map(([command = '']) =>
      command.replace(/^`npm (run )?(--silent )?([a-z]+).*/, '$3'),
    );

    expect(told.toSorted()).toEqual(Object.keys(scripts).toSorted());
  });
});

const pages = globSync(['*.md', 'docs/**/*.md', 'client/package/*/*.md', 'infra/*.md'], {
  cwd: ROOT,
});

describe('links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    const astray = fileLinks(read(page)).filter(
      (link) => !existsSync(join(ROOT, dirname(page), link)),
    );

    expect(astray).toEqual([]);
  });

  it('lead from the map of the documentation to every page of it', () => {
    const linked = fileLinks(read('docs/README.md')).map((link) => join('docs', link));
    const decisions = (page: string) => page.startsWith('docs/adr/');
    const missing = pages.filter(
      (page) => page !== 'docs/README.md' && !decisions(page) && !linked.includes(page),
    );

    expect(missing).toEqual([]);
  });
});

describe('paths', () => {
  // What was decided, or changed, speaks of the files of its day.
  const ofToday = pages.filter((page) => !/CHANGELOG|^docs\/adr\//.test(page));

  it.each(ofToday)('that %s names are there', (page) => {
    const named = [...read(page).matchAll(/`((?:functions|client|infra|test|docs)\/[^`\s]*)`/g)];
    // A pattern names several files, and `dist` is there once it is built.
    const files = named.map(([, path = '']) => path).filter((path) => !/[*<>]|dist/.test(path));
    // What is still to be made is called NAME: its folder is there.
    const paths = files.map((path) => path.replace(/NAME.*$/, ''));

    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
