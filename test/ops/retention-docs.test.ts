// The chapter on retention, held against the code: links lead somewhere, the query is the code's, options
// exist, and every refusal is explained.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { retentionCommand } from '#ops/retention/command.ts';
import { measuredKeyBytes } from '#ops/retention/logs/cost-model.ts';
import { INSIGHTS_QUERY } from '#ops/retention/logs/insights-export.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const chapter = readFileSync(join(ROOT, 'docs/retention/README.md'), 'utf8');
const refusals = readFileSync(join(ROOT, 'functions/ops/retention/schedule/refusal.ts'), 'utf8');

describe('the chapter on retention', () => {
  it('has pictures and tests that are there', () => {
    const pictures = [...chapter.matchAll(/\]\(([^)]+)\)/g)].map(
      ([, to]) => `docs/retention/${to}`,
    );
    const tests = [...chapter.matchAll(/`(test\/[^` ]+)`/g)].map(([, path]) => path ?? '');

    expect(pictures).toHaveLength(3);
    for (const path of [...pictures, ...tests])
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it('shows the query and the size of a key that the code has', () => {
    expect(chapter).toContain(INSIGHTS_QUERY);
    expect(chapter).toContain(`A stored key is ${measuredKeyBytes()} bytes`);
  });

  it('names only options that the commands have', () => {
    const known = retentionCommand().commands.flatMap(({ options }) =>
      options.map(({ long }) => long),
    );
    const named = new Set([...chapter.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([name]) => name));

    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('explains every refusal', () => {
    const kinds = [...refusals.matchAll(/\| '([a-z-]+)'/g)].map(([, kind]) => kind);

    expect(kinds.length).toBeGreaterThan(8);
    for (const kind of kinds) expect(chapter).toContain(`| \`${kind}\` |`);
  });
});
