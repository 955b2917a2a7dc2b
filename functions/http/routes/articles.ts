// /v1/articles: the material of exports. PUT is idempotent by nature; preconditions guard against a late
// one that would overwrite a newer text.

import {
  type Article as ArticleBody,
  type ArticleList,
  putArticleSchema,
  type ArticleSummary as SummaryBody,
} from '#contract/article.ts';
import { articleIdSchema } from '#contract/grammar.ts';
import { HEADERS } from '#contract/headers.ts';
import { listArticlesQuerySchema } from '#contract/list-query.ts';
import { ROUTES } from '#contract/routes.ts';
import {
  type ArticlePort,
  type ArticleSummary,
  articleOf,
  type PutCondition,
} from '#export-jobs/article.ts';
import { ownerOf } from '#export-jobs/create-port.ts';
import { json } from '#http/answer.ts';
import { makeCursor, readCursor } from '#http/cursor.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { matches, readEntityTags } from '#http/entity-tags.ts';
import { readJsonBody } from '#http/json-body.ts';
import { ProblemError } from '#http/problem.ts';
import { foundOr, startReading } from '#http/reading.ts';
import { type HttpRequest, principalOf } from '#http/request.ts';
import { parseOrProblem } from '#http/validate.ts';
import { rfc3339 } from '#idempotency/epoch.ts';
import type { TriesEnd } from '#idempotency/tries.ts';

export function putArticleRoute(articles: ArticlePort, edge: Edge): Route {
  return {
    ...ROUTES.putArticle,
    async answer(request) {
      const owner = ownerOf(principalOf(request));
      const articleId = articleIdInPath(request, 'validation-failed');
      const condition = conditionOf(request);
      const { tries } = startReading(request, edge);
      const body = parseOrProblem(putArticleSchema, readJsonBody(request, ROUTES.putArticle));
      const article = articleOf({ owner, articleId }, body, tries.clock.nowMs());
      const sent = await tries.write((o) => articles.putArticle(article, condition, o));
      if (sent.kind === 'unsettled') throw unsettled(sent);
      // What stands there now, if anything, another caller may have written since our first try.
      if (sent.value.kind === 'superseded') throw new ProblemError('outcome-unknown');
      if (sent.value.kind === 'mismatch') throw preconditionFailed(sent.value.currentEtag);
      const { kind, article: stored } = sent.value;
      const status = kind === 'created' ? 201 : 200;
      return json(status, summaryBody(stored), {
        [HEADERS.etag]: `"${stored.etag}"`,
        ...(kind === 'created' && { [HEADERS.location]: edge.paths.article(articleId) }),
      });
    },
  };
}

export function readArticleRoute(articles: ArticlePort, edge: Edge): Route {
  return {
    ...ROUTES.getArticle,
    async answer(request) {
      const owner = ownerOf(principalOf(request));
      const articleId = articleIdInPath(request, 'article-not-found');
      const { tries } = startReading(request, edge);
      const read = await tries.read((o) => articles.readArticle({ owner, articleId }, o));
      const article = foundOr(read, 'article-not-found');
      const headers = { [HEADERS.etag]: `"${article.etag}"` };
      const known = readEntityTags(request.header(HEADERS.ifNoneMatch), 'weak');
      if (matches(known, article.etag)) return { status: 304, headers };
      const body: ArticleBody = {
        ...summaryBody(article),
        markdown: article.markdown,
        language: article.language,
      };
      return json(200, body, headers);
    },
  };
}

export function deleteArticleRoute(articles: ArticlePort, edge: Edge): Route {
  return {
    ...ROUTES.deleteArticle,
    async answer(request) {
      const owner = ownerOf(principalOf(request));
      const articleId = articleIdInPath(request, 'article-not-found');
      const condition = conditionOf(request);
      const { tries } = startReading(request, edge);
      const name = { owner, articleId, nowMs: tries.clock.nowMs() };
      const sent = await tries.write((o) => articles.deleteArticle(name, condition, o));
      if (sent.kind === 'unsettled') throw unsettled(sent);
      if (sent.value.kind === 'superseded') throw new ProblemError('outcome-unknown');
      if (sent.value.kind === 'mismatch') throw preconditionFailed(sent.value.currentEtag);
      return { status: 204 };
    },
  };
}

export function listArticlesRoute(articles: ArticlePort, edge: Edge): Route {
  return {
    ...ROUTES.listArticles,
    async answer(request) {
      const owner = ownerOf(principalOf(request));
      const { cursor, limit } = parseOrProblem(
        listArticlesQuerySchema,
        Object.fromEntries(request.query),
      );
      const boundTo = ['articles', owner];
      const after =
        cursor === undefined
          ? {}
          : { afterArticleId: readCursor(cursor, boundTo, articleIdSchema) };
      const { tries } = startReading(request, edge);
      const read = await tries.read((o) => articles.listArticles(owner, { limit, ...after }, o));
      const page = foundOr(read, 'article-not-found');
      const body: ArticleList = {
        items: page.articles.map(summaryBody),
        ...(page.nextAfterArticleId !== undefined && {
          cursor: makeCursor(page.nextAfterArticleId, boundTo),
        }),
      };
      return json(200, body);
    },
  };
}

/** An ID outside the grammar names no article; to PUT one is an error of the request. */
function articleIdInPath(
  request: HttpRequest,
  otherwise: 'article-not-found' | 'validation-failed',
): string {
  const parsed = articleIdSchema.safeParse(request.pathParameters.get('articleId'));
  if (parsed.success) return parsed.data;
  throw new ProblemError(otherwise, {
    detail:
      'An article ID is 1 to 128 characters of A-Z a-z 0-9 . _ ~ : - and neither "." nor "..".',
  });
}

function conditionOf(request: HttpRequest): PutCondition {
  const ifMatch = readEntityTags(request.header(HEADERS.ifMatch), 'strong');
  const ifNoneMatch = readEntityTags(request.header(HEADERS.ifNoneMatch), 'strong');
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch !== 'any' || ifMatch !== undefined || request.method !== 'PUT') {
      throw new ProblemError('validation-failed', {
        detail: 'Changes take If-Match with entity tags, or PUT with If-None-Match: *, not both.',
      });
    }
    return { kind: 'absent' };
  }
  return ifMatch === undefined ? { kind: 'none' } : { kind: 'match', etags: ifMatch };
}

function preconditionFailed(currentEtag: string | undefined): ProblemError {
  return new ProblemError('precondition-failed', {
    ...(currentEtag === undefined
      ? { detail: 'There is no such article.' }
      : { headers: { [HEADERS.etag]: `"${currentEtag}"` } }),
  });
}

function unsettled({ unknown, tries }: TriesEnd): ProblemError {
  if (unknown) return new ProblemError('outcome-unknown');
  return new ProblemError(tries === 0 ? 'deadline-passed' : 'store-unavailable');
}

function summaryBody({ articleId, title, bytes, etag, updatedAtMs }: ArticleSummary): SummaryBody {
  return { id: articleId, title, bytes, etag: `"${etag}"`, updatedAt: rfc3339(updatedAtMs) };
}
