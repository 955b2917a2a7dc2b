// Articles of the simulated store. Whoever had a try without an answer touches only what surely stood there
// before: two clocks differ by two minutes at most.

import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import type {
  Article,
  ArticlePort,
  ArticleSummary,
  DeleteArticleResult,
  PutArticleResult,
  PutCondition,
} from '#export-jobs/article.ts';
import type { NotApplied, ReadResult } from '#idempotency/commit-port.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import { ownedBy, ownedKey } from '#test/support/simulated/tables.ts';

export function simulatedArticles({
  tables: { articles },
  travel,
}: Pick<SimulatedStore, 'tables' | 'travel'>): ArticlePort {
  return {
    readArticle: ({ owner, articleId }, options) =>
      travel.get(options, () => articles.get(ownedKey(owner, articleId))),

    putArticle: (article, condition, options) =>
      travel.write<PutArticleResult>(options, ({ standing }) => {
        const key = ownedKey(article.owner, article.articleId);
        const stands = articles.get(key);
        const attempt = { ...options, sinceMs: article.updatedAtMs };
        const same = stands?.etag === article.etag;
        if (same || !mayChange(stands, condition, attempt)) {
          return putRefused(standing(stands), { article, condition }, attempt);
        }
        articles.set(key, article);
        return { kind: stands ? 'replaced' : 'created', article };
      }),

    deleteArticle: ({ owner, articleId, nowMs }, condition, options) =>
      travel.write<DeleteArticleResult>(options, ({ standing }) => {
        const key = ownedKey(owner, articleId);
        const stands = articles.get(key);
        const attempt = { ...options, sinceMs: nowMs };
        if (stands && mayChange(stands, condition, attempt)) {
          articles.delete(key);
          return { kind: 'deleted' };
        }
        if (!stands && condition.kind === 'none' && !options.afterUnknown) {
          return { kind: 'deleted' };
        }
        return deleteRefused(standing(stands), attempt);
      }),

    listArticles: (owner, { limit, afterArticleId = '' }) =>
      travel.page(() => {
        const all = ownedBy(articles, owner)
          .filter(({ articleId }) => articleId > afterArticleId)
          .toSorted((a, b) => (a.articleId < b.articleId ? -1 : 1));
        const page = all.slice(0, limit);
        const next = all.length > limit ? page.at(-1)?.articleId : undefined;
        return {
          articles: page.map(summaryOf),
          ...(next !== undefined && { nextAfterArticleId: next }),
        };
      }),
  };
}

type Attempt = { readonly sinceMs: number; readonly afterUnknown: boolean };

/** Another condition than that the content is new. */
function mayChange(
  stands: Article | undefined,
  condition: PutCondition,
  attempt: Attempt,
): boolean {
  switch (condition.kind) {
    case 'absent':
      return stands === undefined;
    case 'match':
      if (condition.etags !== 'any') {
        return stands !== undefined && condition.etags.includes(stands.etag);
      }
      return stands !== undefined && (!attempt.afterUnknown || stoodBefore(stands, attempt));
    case 'none':
      return !attempt.afterUnknown || (stands !== undefined && stoodBefore(stands, attempt));
  }
}

function stoodBefore({ updatedAtMs }: Article, { sinceMs }: Attempt): boolean {
  return updatedAtMs < sinceMs - 2 * CLOCK_SKEW_MS_MAX;
}

type Put = { readonly article: Article; readonly condition: PutCondition };

function putRefused(
  standing: ReadResult<Article>,
  { article, condition }: Put,
  attempt: Attempt,
): Exclude<PutArticleResult, NotApplied> {
  if (standing.kind === 'failed') return { kind: 'unknown', why: 'simulated' };
  if (standing.kind === 'none') return { kind: attempt.afterUnknown ? 'superseded' : 'mismatch' };
  const stands = standing.value;
  const same = stands.etag === article.etag;
  if (same && condition.kind !== 'absent') return { kind: 'unchanged', article: stands };
  if (same && stands.updatedAtMs === article.updatedAtMs) return { kind: 'created', article };
  return refusedFor(stands, attempt);
}

function deleteRefused(
  standing: ReadResult<Article>,
  attempt: Attempt,
): Exclude<DeleteArticleResult, NotApplied> {
  if (standing.kind === 'failed') return { kind: 'unknown', why: 'simulated' };
  return standing.kind === 'none' ? { kind: 'deleted' } : refusedFor(standing.value, attempt);
}

function refusedFor(stands: Article, attempt: Attempt) {
  return attempt.afterUnknown && !stoodBefore(stands, attempt)
    ? ({ kind: 'superseded' } as const)
    : ({ kind: 'mismatch', currentEtag: stands.etag } as const);
}

function summaryOf({ articleId, title, bytes, etag, updatedAtMs }: Article): ArticleSummary {
  return { articleId, title, bytes, etag, updatedAtMs };
}
