// Which renderer makes an article's part of which file: what the thread loads, and nothing more.

import type { ExportFormat } from '#contract/export-job.ts';
import { epubArticle } from '#export-jobs/render/epub/epub-article.ts';
import { htmlArticle } from '#export-jobs/render/html/html-article.ts';
import { jsonArticle } from '#export-jobs/render/json/json-article.ts';
import { markdownArticle } from '#export-jobs/render/markdown/markdown-article.ts';
import type { RenderInput } from '#export-jobs/render/render-article.ts';
import { textArticle } from '#export-jobs/render/text/text-article.ts';

export const contentOf: Readonly<Record<ExportFormat, (input: RenderInput) => string>> = {
  text: textArticle,
  markdown: markdownArticle,
  html: htmlArticle,
  epub: epubArticle,
  json: jsonArticle,
};
