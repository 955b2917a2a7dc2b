// Articles: one item each. Lists read a narrow index, never the texts.
// Race drawn: two PUTs with the same If-Match: the first moves the etag, so the second finds it false.

import * as z from 'zod';
import type {
  Article,
  ArticlePort,
  ArticleSummary,
  DeleteArticleResult,
  PutArticleResult,
  PutCondition,
} from '#export-jobs/article.ts';
import {
  mapFound,
  type NotApplied,
  type ReadResult,
  type Unknown,
} from '#idempotency/commit-port.ts';
import { type Change, changeCondition, stoodBefore } from '#store/article-condition.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { view } from '#store/dynamo-input.ts';
import { fromItem } from '#store/item.ts';
import { epochMsSchema } from '#store/record-item.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

const summarySchema = z.object({
  articleId: z.string(),
  title: z.string(),
  bytes: z.int(),
  etag: z.string(),
  updatedAtMs: epochMsSchema,
});
const articleSchema = summarySchema.extend({
  owner: z.string(),
  markdown: z.string(),
  language: z.string(),
});

export function createArticleStore(dynamo: Dynamo, tables: TableNames): ArticlePort {
  const shape = TABLES.articles;
  const articles = view(
    tables.articles,
    shape,
    (item): Article => fromItem(item, articleSchema, 'an article'),
  );
  const summaries = view(
    tables.articles,
    shape,
    (item): ArticleSummary => fromItem(item, summarySchema, 'an article'),
  );
  return {
    readArticle: ({ owner, articleId }, options) =>
      dynamo.get(articles, { owner, articleId }, options),

    async putArticle(article, condition, options) {
      const { afterUnknown } = options;
      const { etag, updatedAtMs: sinceMs } = article;
      const write = changeCondition(condition, { etag, sinceMs, afterUnknown });
      const answer = await dynamo.put(
        summaries,
        { item: article, returns: true, ...write },
        options,
      );
      switch (answer.kind) {
        case 'applied':
          return { kind: answer.item ? 'replaced' : 'created', article };
        case 'condition-failed':
          return putRefused(article, answer.standing, { condition, afterUnknown });
        case 'not-applied':
        case 'unknown':
          return answer;
      }
    },

    async deleteArticle({ owner, articleId, nowMs }, condition, options) {
      const { afterUnknown } = options;
      const write = changeCondition(condition, { sinceMs: nowMs, afterUnknown });
      const gone = { key: { owner, articleId }, ...write };
      const answer = await dynamo.remove(summaries, gone, options);
      switch (answer.kind) {
        case 'applied':
          return { kind: 'deleted' };
        case 'condition-failed':
          return deleteRefused(answer.standing, { sinceMs: nowMs, afterUnknown });
        case 'not-applied':
        case 'unknown':
          return answer;
      }
    },

    async listArticles(owner, { limit, afterArticleId }, options) {
      const page = await dynamo.query(
        summaries,
        {
          index: 'ArticleList',
          keyCondition: '#owner = :owner',
          names: { '#owner': 'owner' },
          values: { ':owner': owner },
          limit,
          ...(afterArticleId !== undefined && { startKey: { owner, articleId: afterArticleId } }),
        },
        options,
      );
      return mapFound(page, ({ items, lastKey }) => {
        const next = lastKey?.[shape.range];
        return { articles: items, ...(typeof next === 'string' && { nextAfterArticleId: next }) };
      });
    },
  };
}

type Refused = { readonly condition: PutCondition; readonly afterUnknown: boolean };

function putRefused(
  article: Article,
  standing: ReadResult<ArticleSummary>,
  { condition, afterUnknown }: Refused,
): Exclude<PutArticleResult, NotApplied> {
  if (standing.kind === 'failed') return UNREADABLE;
  if (standing.kind === 'none') return afterUnknown ? { kind: 'superseded' } : { kind: 'mismatch' };
  const stored = standing.value;
  const same = stored.etag === article.etag;
  if (same && condition.kind !== 'absent') return { kind: 'unchanged', article: stored };
  if (same && stored.updatedAtMs === article.updatedAtMs) return { kind: 'created', article };
  if (afterUnknown && !stoodBefore(stored, article.updatedAtMs)) return { kind: 'superseded' };
  return { kind: 'mismatch', currentEtag: stored.etag };
}

/** What is absent is as deleted as was asked for, by whomever. */
function deleteRefused(
  standing: ReadResult<ArticleSummary>,
  { sinceMs, afterUnknown }: Omit<Change, 'etag'>,
): Exclude<DeleteArticleResult, NotApplied> {
  if (standing.kind === 'failed') return UNREADABLE;
  if (standing.kind === 'none') return { kind: 'deleted' };
  const stored = standing.value;
  if (afterUnknown && !stoodBefore(stored, sinceMs)) return { kind: 'superseded' };
  return { kind: 'mismatch', currentEtag: stored.etag };
}

const UNREADABLE: Unknown = { kind: 'unknown', why: 'an article that cannot be read' };
