// The promise of docs/promises.md, played: each row sets up its situation against the real handlers on the real
// DynamoDB Local and holds the answer. The chapter's tables and the rows are compared, so that neither stands
// without the other.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES } from '#contract/problem-catalogue.ts';
import { PROMISE } from '#http/pages/promise.ts';
import { type BenchOfAll, openPromiseBench } from '#test/promises/promise-bench.ts';
import { answersHeard, answersNamed } from '#test/promises/promise-row.ts';
import { PROMISE_TABLE } from '#test/promises/promise-table.ts';
import { sectionsOf, tableRows } from '#test/support/markdown.ts';

const ROWS = Object.values(PROMISE_TABLE).flat();
const chapter = readFileSync(new URL('../docs/promises.md', import.meta.url), 'utf8');

describe('the promise', () => {
  let bench: BenchOfAll;
  beforeAll(async () => {
    bench = await openPromiseBench();
  });
  afterAll(() => bench?.close());

  it.each(ROWS.map((row, number) => ({ ...row, number })))(
    '$situation: $answer',
    async ({ answer, number, play }) => {
      const heard = await play(bench.benchOf(number));

      expect(answersHeard(heard)).toEqual(answersNamed(answer));
    },
  );
});

describe('docs/promises.md', () => {
  const written = Object.fromEntries(
    Object.entries(sectionsOf(chapter))
      .map(([heading, section]) => [heading, tableRows(section)])
      .filter(([, rows]) => (rows?.length ?? 0) > 0),
  );

  it('has the rows that are played, under their headings, and no other', () => {
    const played = Object.entries(PROMISE_TABLE).map(([heading, rows]) => [
      heading,
      rows.map(({ situation, answer }) => [situation, answer]),
    ]);

    expect(written).toEqual(Object.fromEntries(played));
  });

  it('names every code of the contract', () => {
    const named = new Set(ROWS.flatMap(({ answer }) => answer.match(/`[a-z-]+`/g) ?? []));

    expect(PROBLEM_CODES.filter((code) => !named.has(`\`${code}\``))).toEqual([]);
  });
});

describe('the promise on the docs page', () => {
  it('names only answers that are played', () => {
    const played = new Set(ROWS.flatMap(({ answer }) => answersNamed(answer)));
    const statuses = new Set([...played].map((answer) => answer.slice(0, 3)));
    const named = PROMISE.flatMap(({ answers }) => answers);

    expect(named.filter((answer) => !played.has(answer) && !statuses.has(answer))).toEqual([]);
  });
});
