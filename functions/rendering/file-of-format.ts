// Which file belongs to which format. Imported where files are assembled, not where articles are rendered.

import type { ExportFormat } from '#contract/export-job.ts';
import { epubFile } from '#rendering/epub/epub-file.ts';
import type { ExportFile } from '#rendering/export-file.ts';
import { htmlFile } from '#rendering/html/html-file.ts';
import { jsonFile } from '#rendering/json/json-file.ts';
import { markdownFile } from '#rendering/markdown/markdown-file.ts';
import { textFile } from '#rendering/text/text-file.ts';

export const fileOf: Readonly<Record<ExportFormat, ExportFile>> = {
  text: textFile,
  markdown: markdownFile,
  html: htmlFile,
  epub: epubFile,
  json: jsonFile,
};
