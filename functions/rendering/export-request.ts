// What is asked of the renderers: a file of a format, and the articles that go into it. Types alone, so
// that a format's writer and the renderer that calls it need not import each other.

import type { ExportFormat } from '#contract/export-job.ts';

export type RenderableArticle = {
  readonly id: string;
  readonly title: string;
  readonly markdown: string;
  /** BCP 47; `und` when nobody said. */
  readonly language: string;
};

export type ExportRequest = {
  readonly format: ExportFormat;
  readonly title?: string;
  /** BCP 47; `und` when nobody said. */
  readonly language: string;
  readonly articleCount: number;
  readonly createdAtMs: number;
};
