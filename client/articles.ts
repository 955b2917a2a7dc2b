// Own articles, the material of exports. A PUT is idempotent by nature and is retried; without a
// precondition a late one may overwrite a newer text.

import type { Article, ArticleSummary, PutArticle } from '#client/article.ts';
import { ask, pages } from '#client/ask.ts';
import type { CallOptions } from '#client/call-options.ts';
import type { CallContext } from '#client/call-request.ts';
import { checkedId } from '#client/idempotency-key.ts';
import { jsonOf } from '#client/json-of.ts';
import { acceptArticle, acceptArticleSummary, acceptPage } from '#client/shape.ts';
import { HEADERS } from '#contract/headers.ts';

/** One attempt, milliseconds: an article of 300 KB goes over slow lines too. */
const ARTICLE_ATTEMPT_TIMEOUT_MS = 30_000;

export interface PutArticleOptions extends CallOptions {
  /** Only if the article is the one with this entity tag. */
  readonly ifMatch?: string;
  /** Only if there is no such article. */
  readonly ifAbsent?: boolean;
}

export interface PutArticleResult extends ArticleSummary {
  /** False: an article was replaced, or had this content already. */
  readonly created: boolean;
}

export interface ListArticlesOptions extends CallOptions {
  /** Items of one page: 1 to 100. `timeoutMs` is for one page. */
  readonly pageSize?: number;
}

export async function putArticle(
  { articleId, article }: { readonly articleId: string; readonly article: PutArticle },
  { ifMatch, ifAbsent, ...options }: PutArticleOptions,
  context: CallContext,
): Promise<PutArticleResult> {
  return ask(
    {
      method: 'PUT',
      path: articlePath(articleId),
      headers: {
        [HEADERS.contentType]: 'application/json',
        ...(ifMatch !== undefined && { [HEADERS.ifMatch]: ifMatch }),
        ...(ifAbsent && { [HEADERS.ifNoneMatch]: '*' }),
      },
      body: jsonOf(article),
      effect: 'write',
      attemptTimeoutMs: ARTICLE_ATTEMPT_TIMEOUT_MS,
      accept({ status, json }) {
        const summary = status === 200 || status === 201 ? acceptArticleSummary(json) : undefined;
        return summary && { ...summary, created: status === 201 };
      },
    },
    options,
    context,
  );
}

export async function getArticle(
  articleId: string,
  options: CallOptions,
  context: CallContext,
): Promise<Article> {
  return ask(
    {
      method: 'GET',
      path: articlePath(articleId),
      headers: {},
      effect: 'read',
      attemptTimeoutMs: ARTICLE_ATTEMPT_TIMEOUT_MS,
      accept: ({ status, json }) => (status === 200 ? acceptArticle(json) : undefined),
    },
    options,
    context,
  );
}

/** Deleting an article that is not there is a success. */
export async function deleteArticle(
  articleId: string,
  { ifMatch, ...options }: Omit<PutArticleOptions, 'ifAbsent'>,
  context: CallContext,
): Promise<void> {
  await ask(
    {
      method: 'DELETE',
      path: articlePath(articleId),
      headers: ifMatch === undefined ? {} : { [HEADERS.ifMatch]: ifMatch },
      effect: 'write',
      accept: ({ status }) => (status === 204 ? true : undefined),
    },
    options,
    context,
  );
}

export function listArticles(
  { pageSize, ...options }: ListArticlesOptions,
  context: CallContext,
): AsyncGenerator<ArticleSummary, void, undefined> {
  const acceptArticles = acceptPage(acceptArticleSummary);
  return pages('/v1/articles', { limit: pageSize }, (path) =>
    ask(
      {
        method: 'GET',
        path,
        headers: {},
        effect: 'read',
        accept: ({ status, json }) => (status === 200 ? acceptArticles(json) : undefined),
      },
      options,
      context,
    ),
  );
}

function articlePath(articleId: string): string {
  return `/v1/articles/${checkedId(articleId, 'an article')}`;
}
