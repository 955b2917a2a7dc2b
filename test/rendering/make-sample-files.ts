// Makes a file of every format from the sample articles, for checks by other programs:
// `node test/rendering/make-sample-files.ts FOLDER` prints the path of each file, one a line.

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORT_FORMATS } from '#contract/export-job.ts';
import { readSampleArticles } from '#local/sample-articles.ts';
import type { ExportRequest, RenderableArticle } from '#rendering/export-request.ts';
import { fileExtensionOf } from '#rendering/file-kind.ts';
import { renderArticleHere } from '#rendering/render-article.ts';
import { renderExport } from '#rendering/render-export.ts';
import { hostileArticles } from '#test/rendering/hostile-articles.ts';

/** 30 November 2026, so that the files are the same on any day. */
const CREATED_AT_MS = Date.UTC(2026, 10, 30);

const samples: RenderableArticle[] = readSampleArticles().map(({ articleId, body }) => ({
  id: articleId,
  title: body.title,
  markdown: body.markdown,
  language: body.language ?? 'und',
}));
const hostile = hostileArticles();
const sets = [
  { name: 'samples', title: 'Doing it once', language: 'en', articles: samples },
  ...samples.map((article) => ({
    name: article.id,
    title: undefined,
    language: article.language,
    articles: [article],
  })),
  { name: 'hostile', title: '<b>&amp;]]> \u202Eelitsoh', language: 'und', articles: hostile },
];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('say into which folder');
for (const { name, title, language, articles } of sets) {
  for (const format of EXPORT_FORMATS) {
    const request: ExportRequest = {
      format,
      language,
      articleCount: articles.length,
      createdAtMs: CREATED_AT_MS,
      ...(title !== undefined && { title }),
    };
    const path = join(folder, `${name}.${fileExtensionOf(format)}`);
    const bytes = renderExport(request, Readable.from(articles), {
      renderArticle: renderArticleHere,
      signal: new AbortController().signal,
    });
    await pipeline(bytes, createWriteStream(path));
    console.log(path);
  }
}
