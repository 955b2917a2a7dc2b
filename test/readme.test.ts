// The README's tables are held against the code and the tests.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { environmentSchema } from '#handlers/config.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

function tableAfter(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const codesIn = (text: string) =>
  [...text.matchAll(/`([a-z-]+)`/g)].flatMap(([, code]) =>
    (PROBLEM_CODES as string[]).includes(code ?? '')
      ? [code as (typeof PROBLEM_CODES)[number]]
      : [],
  );

describe('the promise in the README', () => {
  const rows = tableAfter('The promise');

  it.each(rows)('%s: %s — is held by %s', (_, answer = '', cell = '') => {
    const path = cell.replaceAll('`', '');
    expect(existsSync(join(ROOT, path))).toBe(true);
    const test = readFileSync(join(ROOT, path), 'utf8');

    for (const code of codesIn(answer)) expect(test).toContain(code);
    for (const [, status] of answer.matchAll(/\b([2345]\d\d)\b/g)) {
      const code = codesIn(answer).find((each) => `${PROBLEMS[each].status}` === status);
      // A status stands in its test, or is that of a code that does.
      expect(code !== undefined || test.includes(status ?? '')).toBe(true);
    }
  });

  it('names every code of the contract', () => {
    const named = new Set(rows.flatMap(([, answer = '']) => codesIn(answer)));

    expect(PROBLEM_CODES.filter((code) => !named.has(code))).toEqual([]);
  });

  it('names each code with its status', () => {
    for (const [, answer = ''] of rows) {
      for (const [, status, code] of answer.matchAll(/\b([45]\d\d) `([a-z-]+)`/g)) {
        expect(`${PROBLEMS[code as ProblemCode].status}`).toBe(status);
      }
    }
  });
});

describe('the configuration in the README', () => {
  const rows = tableAfter('Configuration');
  const documented = rows.flatMap(([names = '']) =>
    [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name ?? ''),
  );

  it('names every variable of the schema, and no other', () => {
    expect(documented.toSorted()).toEqual(Object.keys(environmentSchema.shape).toSorted());
  });

  it('tells the numbers that the schema has', () => {
    const needed = Object.fromEntries(
      Object.keys(environmentSchema.shape)
        .filter((name) => /^(STAGE|TABLE_|EXPORTS_BUCKET|RUN_JOB)/.test(name))
        .map((name) => [name, 'name']),
    );
    const defaults: Record<string, unknown> = environmentSchema.parse(needed);
    for (const [name = '', told = ''] of rows) {
      const value = defaults[name.replaceAll('`', '')];
      if (typeof value === 'number') expect(told).toBe(`${value}`);
    }
  });
});

describe('links in the README', () => {
  it.each(
    [...readme.matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, to]) => to ?? '')
      .filter((to) => !to.startsWith('http')),
  )('lead somewhere: %s', (to) => {
    expect(existsSync(join(ROOT, to))).toBe(true);
  });
});
