// What a format's writer of articles is given. A type alone: the writers do not import what calls them.

import type { ExportFormat } from '#contract/export-job.ts';
import type { RenderableArticle } from '#rendering/export-request.ts';

export type RenderInput = {
  readonly format: ExportFormat;
  /** The heading level of the article's title: 2 where the file has a title of its own, else 1. */
  readonly titleLevel: 1 | 2;
  /** The article's place in the file, from 1: what makes its IDs and labels its own. */
  readonly number: number;
  readonly article: RenderableArticle;
};
