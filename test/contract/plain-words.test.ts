// Refusals of bodies and queries are told in words of the contract, never in those of a library.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putArticleSchema } from '#contract/article.ts';
import { createExportJobSchema } from '#contract/export-job.ts';
import { listArticlesQuerySchema, listExportJobsQuerySchema } from '#contract/list-query.ts';
import { asProblem } from '#http/problem.ts';
import { parseOrProblem } from '#http/validate.ts';

const SCHEMAS = {
  createExportJob: createExportJobSchema,
  putArticle: putArticleSchema,
  listArticles: listArticlesQuerySchema,
  listExportJobs: listExportJobsQuerySchema,
};
const GOOD = { articleIds: ['a-1'], format: 'text' };
const OURS = /^(must |is missing$|is not a known member$|is not of the form )/;

/** What is wrong, by pointer. */
function errorsOf(schema: keyof typeof SCHEMAS, value: unknown): Record<string, string> {
  try {
    parseOrProblem<unknown>(SCHEMAS[schema], value);
    return {};
  } catch (problem) {
    const errors = asProblem(problem).extras.errors ?? [];
    return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail]));
  }
}

describe('a refusal says', () => {
  it.each([
    [{ ...GOOD, format: undefined }, { '/format': expect.stringMatching(/^must be "text" or /) }],
    [{ ...GOOD, articleIds: undefined }, { '/articleIds': 'is missing' }],
    [{ ...GOOD, articleIds: 'a-1' }, { '/articleIds': 'must be an array' }],
    [{ ...GOOD, articleIds: [] }, { '/articleIds': 'must be at least 1 item' }],
    [{ ...GOOD, articleIds: [1] }, { '/articleIds/0': 'must be a string' }],
    [{ ...GOOD, language: 'x'.repeat(400) }, { '/language': expect.stringMatching(OURS) }],
    [{ ...GOOD, title: null }, { '/title': 'must be a string' }],
    [{ ...GOOD, extra: 1 }, { '/extra': 'is not a known member' }],
    [null, { '': 'must be an object' }],
  ])('%j: %j', (body, errors) => {
    expect(errorsOf('createExportJob', body)).toEqual(errors);
  });

  it.each(['createExportJob', 'putArticle', 'listArticles', 'listExportJobs'] as const)(
    'nothing that is not ours, whatever is sent to %s',
    (schema) => {
      const members = Object.keys(SCHEMAS[schema].shape);
      const value = fc.oneof(
        fc.dictionary(fc.constantFrom(...members, 'other'), fc.anything(), {
          noNullPrototype: true,
        }),
        fc.anything(),
      );

      fc.assert(
        fc.property(value, (sent) => {
          for (const detail of Object.values(errorsOf(schema, sent))) {
            expect(detail).toMatch(OURS);
          }
        }),
        { numRuns: 500 },
      );
    },
  );
});
