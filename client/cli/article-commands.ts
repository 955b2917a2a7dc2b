// `articles put` and `articles list`: the material of exports.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode, LocalError } from '#client/cli/exit-codes.ts';
import { oneLine } from '#client/cli/job-commands.ts';

export interface PutFlags {
  readonly title: string;
  readonly language?: string;
  readonly ifMatch?: string;
  readonly ifAbsent: boolean;
}

export async function putArticleCommand(
  articleId: string,
  file: string,
  { title, language, ifMatch, ifAbsent }: PutFlags,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const markdown = await readMarkdown(file);
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

export async function listArticlesCommand(
  { max }: { readonly max: number },
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  let shown = 0;
  for await (const article of client.listArticles({ signal })) {
    if (shown >= max) break;
    const { id, bytes, updatedAt, title } = article;
    out.result(article, `${id}  ${bytes} bytes  ${updatedAt}  ${oneLine(title)}`);
    shown += 1;
  }
  if (shown === 0) out.note('No articles.');
  return EXIT.done;
}

async function readMarkdown(file: string): Promise<string> {
  try {
    const bytes = file === '-' ? Buffer.from(await text(process.stdin)) : await readFile(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is no UTF-8' : (cause as Error).message;
    throw new LocalError(`${file} cannot be read: ${why}`, { cause });
  }
}
