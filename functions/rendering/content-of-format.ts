// Which renderer makes an article's part of which file: what the thread loads, and nothing more.

import type { ExportFormat } from '#contract/export-job.ts';
import { epubArticle } from '#rendering/epub/epub-article.ts';
import { htmlArticle } from '#rendering/html/html-article.ts';
import { jsonArticle } from '#rendering/json/json-article.ts';
import { markdownArticle } from '#rendering/markdown/markdown-article.ts';
import type { RenderInput } from '#rendering/render-input.ts';
import { textArticle } from '#rendering/text/text-article.ts';

export const contentOf: Readonly<Record<ExportFormat, (input: RenderInput) => string>> = {
  text: textArticle,
  markdown: markdownArticle,
  html: htmlArticle,
  epub: epubArticle,
  json: jsonArticle,
};
