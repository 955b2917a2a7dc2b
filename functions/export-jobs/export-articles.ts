// The articles of a job, in their order, as the renderer takes them: one at a time, in bounded memory.
// What is missing is collected to the end, so that a failure names all of it; nothing half is published.

import type { ArticlePort } from '#export-jobs/article.ts';
import type { Job, JobError } from '#export-jobs/job.ts';
import type { RunOptions } from '#export-jobs/run-port.ts';
import { storeCall } from '#export-jobs/store-call.ts';
import type { RenderableArticle } from '#rendering/export-request.ts';

/** An end that no further run could change. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  readonly error: JobError;

  constructor(error: JobError) {
    super(error.detail);
    this.error = error;
  }
}

/** Missing articles named in the detail; the answer lists all of them. */
const NAMED_MAX = 3;

export type ArticlesAsked = { readonly job: Job; readonly articleIds: readonly string[] };

/** @throws JobFailed at the end when articles are missing, at once when there is too much text */
export async function* articlesOf(
  { job, articleIds }: ArticlesAsked,
  articles: Pick<ArticlePort, 'readArticle'>,
  options: RunOptions,
): AsyncGenerator<RenderableArticle, void, undefined> {
  const missing: number[] = [];
  let bytes = 0;
  for (const [place, articleId] of articleIds.entries()) {
    const name = { owner: job.owner, articleId };
    const read = await storeCall(options).read((o) => articles.readArticle(name, o));
    if (read.kind === 'failed') throw new Error('an article could not be read in time');
    if (read.kind === 'none') {
      missing.push(place);
      continue;
    }
    const { title, markdown, language, bytes: more } = read.value;
    bytes += more;
    if (bytes > options.jobMarkdownBytesMax) throw tooLarge(options.jobMarkdownBytesMax);
    if (missing.length > 0) continue;
    yield {
      id: articleId,
      title,
      markdown,
      language: language === 'und' ? job.language : language,
    };
  }
  if (missing.length > 0) throw articlesMissing(missing, articleIds);
}

function articlesMissing(missing: readonly number[], articleIds: readonly string[]): JobFailed {
  const named = missing.slice(0, NAMED_MAX).map((place) => articleIds[place]?.slice(0, 24));
  const more = missing.length > NAMED_MAX ? ', …' : '';
  return new JobFailed({
    code: 'articles-missing',
    detail: `${missing.length} of ${articleIds.length} articles do not exist: ${named.join(', ')}${more}`,
    missing,
  });
}

function tooLarge(bytesMax: number): JobFailed {
  const megabytes = Math.floor(bytesMax / 1_000_000);
  return new JobFailed({
    code: 'job-too-large',
    detail: `the articles hold more than ${megabytes} MB of Markdown; export them in parts`,
  });
}
