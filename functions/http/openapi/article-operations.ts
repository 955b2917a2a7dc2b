// Articles, the material of exports, as the document shows them.

import {
  articleListSchema,
  articleSchema,
  articleSummarySchema,
  putArticleSchema,
} from '#contract/article.ts';
import { listArticlesQuerySchema } from '#contract/list-query.ts';
import type { Operation } from '#contract/routes.ts';
import type { Described } from '#http/openapi/described.ts';
import {
  articlePathParameters,
  attemptHeaders,
  changeHeaders,
  putHeaders,
  readHeaders,
} from '#http/openapi/parameters.ts';
import { answer, problems, RESPONSE_HEADERS } from '#http/openapi/responses.ts';

const { etag, location } = RESPONSE_HEADERS;
const CHANGE_PROBLEMS = ['validation-failed', 'precondition-failed', 'outcome-unknown'] as const;

export const articleOperations = {
  listArticles: {
    tags: ['Articles'],
    summary: 'List your articles, without their texts',
    requestParams: { header: attemptHeaders, query: listArticlesQuerySchema },
    responses: { 200: answer('A page.', articleListSchema), ...problems('validation-failed') },
  },
  putArticle: {
    tags: ['Articles'],
    summary: 'Create or replace an article',
    description:
      'The ETag is a hash of the content. A PUT of what is stored already is 200 even if its If-Match is stale: the retry of a lost answer.',
    requestParams: { header: putHeaders, path: articlePathParameters },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: putArticleSchema } },
    },
    responses: {
      200: answer('Replaced, or stored already.', articleSummarySchema, etag),
      201: answer('Created.', articleSummarySchema, { ...etag, ...location }),
      ...problems(...CHANGE_PROBLEMS, 'invalid-json', 'body-too-large', 'unsupported-media-type'),
    },
  },
  getArticle: {
    tags: ['Articles'],
    summary: 'Read an article',
    requestParams: { header: readHeaders, path: articlePathParameters },
    responses: {
      200: answer('The article.', articleSchema, etag),
      304: answer('It still has the ETag that you named.', undefined, etag),
      ...problems('article-not-found'),
    },
  },
  deleteArticle: {
    tags: ['Articles'],
    summary: 'Delete an article',
    description: 'Safe to repeat: an absent article is 204.',
    requestParams: { header: changeHeaders, path: articlePathParameters },
    responses: {
      204: answer('It is gone.'),
      ...problems(...CHANGE_PROBLEMS, 'article-not-found'),
    },
  },
} as const satisfies Partial<Record<Operation, Described>>;
