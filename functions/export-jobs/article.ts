// An article, and the store that keeps it. The ETag is a hash of the content: the same content has the
// same ETag, whoever wrote it and when.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PutArticle } from '#contract/article.ts';
import type {
  NotApplied,
  ReadOptions,
  ReadResult,
  SendOptions,
  Unknown,
} from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';

export type ArticleSummary = {
  readonly articleId: string;
  readonly title: string;
  /** Markdown, bytes of UTF-8. */
  readonly bytes: number;
  /** Strong entity tag, without its quotes. */
  readonly etag: string;
  readonly updatedAtMs: EpochMs;
};

export type Article = ArticleSummary & {
  readonly owner: string;
  readonly markdown: string;
  readonly language: string;
};

export type ArticleName = Pick<Article, 'owner' | 'articleId'>;

export type PutCondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'match'; readonly etags: readonly string[] | 'any' };

/** An own earlier try may have been applied, and another caller's write stands there now. */
type Superseded = { readonly kind: 'superseded' };

export type PutArticleResult =
  | { readonly kind: 'created' | 'replaced' | 'unchanged'; readonly article: ArticleSummary }
  | { readonly kind: 'mismatch'; readonly currentEtag?: string }
  | Superseded
  | NotApplied
  | Unknown;

export type DeleteArticleResult =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'mismatch'; readonly currentEtag?: string }
  | Superseded
  | NotApplied
  | Unknown;

export type ArticlePage = {
  readonly articles: readonly ArticleSummary[];
  readonly nextAfterArticleId?: string;
};

/**
 * 1. readArticle is strongly consistent when asked; lists may lag a moment and never read the texts.
 * 2. A put of content that is stored already is `unchanged`, whatever it expected with `match`.
 * 3. One's own put after a lost answer is recognised.
 * 4. After a try that got no answer a change is never `mismatch` for what that try did, and never touches
 *    what another caller may have written since: then it is `superseded`.
 */
export type ArticlePort = {
  readonly readArticle: (name: ArticleName, options: ReadOptions) => Promise<ReadResult<Article>>;
  readonly putArticle: (
    article: Article,
    condition: PutCondition,
    options: SendOptions,
  ) => Promise<PutArticleResult>;
  /** `nowMs`: when the attempt began. */
  readonly deleteArticle: (
    name: ArticleName & { readonly nowMs: EpochMs },
    condition: PutCondition,
    options: SendOptions,
  ) => Promise<DeleteArticleResult>;
  readonly listArticles: (
    owner: string,
    query: { readonly limit: number; readonly afterArticleId?: string },
    options: ReadOptions,
  ) => Promise<ReadResult<ArticlePage>>;
};

export function articleOf(
  { owner, articleId }: ArticleName,
  { title, markdown, language = 'und' }: PutArticle,
  updatedAtMs: EpochMs,
): Article {
  const content = canonicalize({ language, markdown, title }) ?? '';
  return {
    owner,
    articleId,
    title,
    markdown,
    language,
    bytes: Buffer.byteLength(markdown, 'utf8'),
    etag: createHash('sha256').update(content, 'utf8').digest('base64url'),
    updatedAtMs,
  };
}
