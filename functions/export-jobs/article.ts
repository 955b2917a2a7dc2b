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
 *  1. A consistent readArticle sees every write that was acknowledged before it began, and says `none` only
 *     of what is proven absent. What does not parse is thrown as a fault.
 *  2. A put of content that is stored already is `unchanged`, whatever it expected with `match`.
 *  3. One's own put after a lost answer is recognised.
 *  4. After a try that got no answer a change that is refused is never `mismatch` for what that try may
 *     have done, but `superseded`; and one that names no text (no precondition, or `any`) never touches
 *     what another caller may have written since. A named precondition that holds again was asked for.
 *  5. `absent` stores only where no article is, `match` changes only one with a tag that it names (`any`:
 *     whatever stands there); else `mismatch`, with the tag that stands there. Of two at once, one wins.
 *  6. A delete of what is not there is `deleted`.
 *  7. Nothing is sent once maySend() says no. `not-applied` and the refusals are certain; whatever is not
 *     certain is `unknown`: a refusal too, whose article neither came with it nor could be read.
 *  8. Only an owner's own articles are ever reached. A page has at most `limit`, by article ID, each once,
 *     and never the texts; it may lag a moment. What cannot be known is `failed`, never a shorter page.
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
