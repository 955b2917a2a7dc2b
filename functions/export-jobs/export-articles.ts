// The articles of a job, in their order, as the renderer takes them: one at a time, in bounded memory.
// What is missing is collected to the end, so that a failure names all of it; nothing half is published.

import type { Article, ArticlePort } from '#export-jobs/article.ts';
import type { Job, JobError } from '#export-jobs/job.ts';
import type { RunEnvironment } from '#export-jobs/run-port.ts';
import { storeBudget } from '#export-jobs/store-budget.ts';
import { readWithin } from '#idempotency/read-within.ts';
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

/** @throws JobFailed at the end when articles are missing, at once when there is too much text */
export async function* articlesOf(
  job: Job,
  articleIds: readonly string[],
  articles: Pick<ArticlePort, 'readArticle'>,
  env: RunEnvironment,
): AsyncGenerator<RenderableArticle, void, undefined> {
  const missing: number[] = [];
  let bytes = 0;
  for (const [place, articleId] of articleIds.entries()) {
    const article = await readArticle(job.owner, articleId, articles, env);
    if (!article) {
      missing.push(place);
      continue;
    }
    bytes += article.bytes;
    if (bytes > env.jobMarkdownBytesMax) throw tooLarge(env.jobMarkdownBytesMax);
    if (missing.length === 0) {
      const language = article.language === 'und' ? job.language : article.language;
      yield { id: articleId, title: article.title, markdown: article.markdown, language };
    }
  }
  if (missing.length > 0) throw articlesMissing(missing, articleIds);
}

async function readArticle(
  owner: string,
  articleId: string,
  articles: Pick<ArticlePort, 'readArticle'>,
  env: RunEnvironment,
): Promise<Article | undefined> {
  const read = await readWithin({ ...env, budget: storeBudget(env) }, (options) =>
    articles.readArticle(owner, articleId, options),
  );
  if (read.kind === 'failed') throw new Error('an article could not be read in time');
  return read.kind === 'found' ? read.value : undefined;
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
