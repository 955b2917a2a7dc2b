// Renders one export file: articles in, bytes out, in the order of the articles and in bounded memory.
// Pure but for what it is handed: no clock, no network, no file. Images and other remote things are
// never fetched. It must never write a byte of an article that could not be rendered, nor go on after
// the signal was aborted.

import type { AssembledArticle } from '#rendering/export-file.ts';
import type { ExportRequest, RenderableArticle } from '#rendering/export-request.ts';
import { fileOf } from '#rendering/file-of-format.ts';
import type { RenderArticle, UnrenderableReason } from '#rendering/render-article.ts';
import { untilAborted } from '#rendering/until-aborted.ts';

export type RenderExportOptions = {
  readonly renderArticle: RenderArticle;
  /** Told after each article how many are rendered. */
  readonly onArticleDone?: (done: number) => void;
  readonly signal: AbortSignal;
};

/** An article that no further try will render: the job fails with `article-unrenderable`. */
export class ArticleUnrenderableError extends Error {
  override readonly name = 'ArticleUnrenderableError';
  readonly articleId: string;
  readonly reason: UnrenderableReason;

  constructor(articleId: string, reason: UnrenderableReason, detail?: string) {
    super(`article ${articleId} cannot be rendered: ${reason}`, { cause: detail });
    this.articleId = articleId;
    this.reason = reason;
  }
}

/**
 * The bytes of the file, piece by piece. The same request and articles give the same bytes.
 *
 * @throws ArticleUnrenderableError from the iterator, naming the article that is beyond the limits
 * @throws the signal's reason, at once, also while the source or the renderer is still busy
 */
export async function* renderExport(
  request: ExportRequest,
  articles: AsyncIterable<RenderableArticle>,
  options: RenderExportOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  options.signal.throwIfAborted();
  yield* fileOf[request.format].assemble(request, renderEach(request, articles, options));
}

async function* renderEach(
  request: ExportRequest,
  articles: AsyncIterable<RenderableArticle>,
  { renderArticle, onArticleDone, signal }: RenderExportOptions,
): AsyncGenerator<AssembledArticle, void, undefined> {
  const titleLevel = fileOf[request.format].hasFileTitle(request) ? 2 : 1;
  let done = 0;
  for await (const article of untilAborted(articles, signal)) {
    const outcome = await renderArticle(
      { format: request.format, titleLevel, number: done + 1, article },
      signal,
    );
    signal.throwIfAborted();
    if (outcome.kind === 'unrenderable') {
      throw new ArticleUnrenderableError(article.id, outcome.reason, outcome.detail);
    }
    yield { number: done + 1, article, content: outcome.content };
    done += 1;
    onArticleDone?.(done);
  }
}
