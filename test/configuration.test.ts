// docs/configuration.md is held against the schema of the configuration: every variable, and every number.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentSchema } from '#handlers/config.ts';
import { tableRows } from '#test/support/markdown.ts';

const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
const rows = tableRows(page);

describe('the configuration in the docs', () => {
  it('names every variable of the schema, and no other', () => {
    const documented = rows.flatMap(([names = '']) => names.match(/[A-Z][A-Z0-9_]+/g) ?? []);

    expect(documented.toSorted()).toEqual(Object.keys(environmentSchema.shape).toSorted());
  });

  it('tells the numbers that the schema has', () => {
    const needed = Object.fromEntries(
      Object.keys(environmentSchema.shape)
        .filter((name) => /^(STAGE|TABLE_|EXPORTS_BUCKET|RUN_JOB)/.test(name))
        .map((name) => [name, 'name']),
    );
    const defaults: Record<string, unknown> = environmentSchema.parse(needed);
    const told = rows.map(([name = '', value = '']) => [name.replaceAll('`', ''), value]);
    const numbers = told.filter(([name = '']) => typeof defaults[name] === 'number');

    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual(numbers.map(([name = '']) => [name, `${defaults[name]}`]));
  });
});
