// Puts the sample articles through the service's own front door, as any caller would. Only where
// absent: `If-None-Match: *` leaves what a kept data folder already has.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('sample-articles', import.meta.url));

/** The subject that owns the samples; the printed token is theirs. */
export const SAMPLE_SUBJECT = 'demo';

export interface SampleArticle {
  readonly articleId: string;
  readonly body: { readonly title: string; readonly markdown: string; readonly language?: string };
}

/** First line `# Title`; `<!-- lang: xx -->` says the language. */
export function readSampleArticles(folder = FOLDER): readonly SampleArticle[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const articleId = basename(name, '.md');
    const title = /^# (.+)$/m.exec(text)?.[1]?.trim() ?? articleId;
    const language = /<!--\s*lang:\s*([\w-]+)\s*-->/.exec(text)?.[1];
    return { articleId, body: { title, markdown: text, ...(language && { language }) } };
  });
}

/** @returns one line for a person */
export async function putSampleArticles(url: string, token: string): Promise<string> {
  const articles = readSampleArticles();
  if (articles.length === 0) return 'no sample articles: the folder is empty';
  let [put, kept] = [0, 0];
  for (const { articleId, body } of articles) {
    const response = await fetch(`${url}/v1/articles/${encodeURIComponent(articleId)}`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'if-none-match': '*',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 404) return 'no sample articles: this service has no PUT for articles';
    if (response.status === 412) kept += 1;
    else if (response.ok) put += 1;
    else return `sample article ${articleId} was refused: ${response.status} ${text.slice(0, 200)}`;
  }
  const already = kept > 0 ? `, ${kept} already there` : '';
  return `${put} sample articles put for ${SAMPLE_SUBJECT}${already}`;
}
