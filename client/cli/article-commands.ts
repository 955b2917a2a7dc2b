// `articles put`, `get`, `list`, `delete`: the material of exports.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { oneLine } from '#client/cli/job-lines.ts';
import { readMarkdown } from '#client/cli/read-markdown.ts';

export interface PutFlags {
  readonly title: string;
  readonly language?: string;
  readonly ifMatch?: string;
  readonly ifAbsent: boolean;
}

interface Put extends PutFlags {
  readonly articleId: string;
  readonly file: string;
}

export async function putArticleCommand(
  { articleId, file, title, language, ifMatch, ifAbsent }: Put,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const markdown = await readMarkdown(file, signal);
  const article = { title, markdown, ...(language !== undefined && { language }) };
  const put = await client.putArticle(articleId, article, {
    signal,
    ifAbsent,
    ...(ifMatch !== undefined && { ifMatch }),
  });
  out.result(
    put,
    `${put.created ? 'Created' : 'Stored'} ${put.id}, ${put.bytes} bytes, ${put.etag}`,
  );
  return EXIT.done;
}

/** The text alone on stdout, as it was put; what it is called and its entity tag beside it. */
export async function getArticleCommand(
  articleId: string,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const article = await client.getArticle(articleId, { signal });
  if (out.json) {
    out.result(article, '');
  } else {
    out.note(`${article.id}  ${article.language}  ${article.etag}  ${oneLine(article.title)}`);
    await out.raw(article.markdown);
  }
  return EXIT.done;
}

export async function listArticlesCommand(
  { max }: { readonly max: number },
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  let shown = 0;
  for await (const article of client.listArticles({ signal })) {
    if (shown >= max || !out.isHeard()) break;
    const { id, bytes, updatedAt, title } = article;
    out.result(article, `${id}  ${bytes} bytes  ${updatedAt}  ${oneLine(title)}`);
    shown += 1;
  }
  if (shown === 0) out.note('No articles.');
  return EXIT.done;
}

export async function deleteArticleCommand(
  articleId: string,
  { ifMatch }: { readonly ifMatch?: string },
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  await client.deleteArticle(articleId, { signal, ...(ifMatch !== undefined && { ifMatch }) });
  out.result({ id: articleId, deleted: true }, `There is no article ${articleId} any more.`);
  return EXIT.done;
}
