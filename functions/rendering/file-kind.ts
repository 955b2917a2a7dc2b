// What the file of each format is called and how it is labelled. Apart from the renderers, so that a
// function that only shows jobs does not carry them.

import type { ExportFormat } from '#contract/export-job.ts';

const FILE_KINDS = {
  text: { contentType: 'text/plain; charset=utf-8', extension: 'txt' },
  markdown: { contentType: 'text/markdown; charset=utf-8', extension: 'md' },
  html: { contentType: 'text/html; charset=utf-8', extension: 'html' },
  epub: { contentType: 'application/epub+zip', extension: 'epub' },
  json: { contentType: 'application/json', extension: 'json' },
} as const satisfies Record<ExportFormat, { contentType: string; extension: string }>;

/** The media type of a format's file. */
export function contentTypeOf(format: ExportFormat): string {
  return FILE_KINDS[format].contentType;
}

/** The extension of a format's file, without the dot. */
export function fileExtensionOf(format: ExportFormat): string {
  return FILE_KINDS[format].extension;
}
