// What a file that must have a title is called.

import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { labelsFor } from '#rendering/article-tree/labels.ts';
import type { ExportRequest, RenderableArticle } from '#rendering/export-request.ts';

/** What the caller called it, else what its only article is called, else what it holds. */
export function fileTitle(
  request: ExportRequest,
  articles: ReadonlyArray<Pick<RenderableArticle, 'id' | 'title'>>,
): string {
  const given = cleanTitle(request.title ?? '', '');
  if (given !== '') return given;
  const [only] = articles;
  return articles.length === 1 && only !== undefined
    ? cleanTitle(only.title, only.id)
    : labelsFor(request.language).articles;
}
