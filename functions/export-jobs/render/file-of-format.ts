// Which file belongs to which format. Imported where files are assembled, not where articles are rendered.

import type { ExportFormat } from '#contract/export-job.ts';
import { epubFile } from '#export-jobs/render/epub/epub-file.ts';
import type { ExportFile } from '#export-jobs/render/export-file.ts';
import { htmlFile } from '#export-jobs/render/html/html-file.ts';
import { jsonFile } from '#export-jobs/render/json/json-file.ts';
import { markdownFile } from '#export-jobs/render/markdown/markdown-file.ts';
import { textFile } from '#export-jobs/render/text/text-file.ts';

export const fileOf: Readonly<Record<ExportFormat, ExportFile>> = {
  text: textFile,
  markdown: markdownFile,
  html: htmlFile,
  epub: epubFile,
  json: jsonFile,
};
