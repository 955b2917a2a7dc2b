// A whole export in memory, for tests that look at what came out.

import type { ExportRequest, RenderableArticle } from '#rendering/export-request.ts';
import { renderArticleHere } from '#rendering/render-article.ts';
import { renderExport } from '#rendering/render-export.ts';

/** 30 November 2026, 12:00 UTC. */
const CREATED_AT_MS = 1_796_040_000_000;

export function article(
  markdown: string,
  more: Partial<RenderableArticle> = {},
): RenderableArticle {
  return { id: 'a-1', title: 'Title', language: 'und', markdown, ...more };
}

export function requestOf(
  format: ExportRequest['format'],
  articleCount: number,
  more: Partial<ExportRequest> = {},
): ExportRequest {
  return { format, language: 'und', articleCount, createdAtMs: CREATED_AT_MS, ...more };
}

export async function* oneByOne<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

export async function renderedBytes(
  format: ExportRequest['format'],
  articles: readonly RenderableArticle[],
  more: Partial<ExportRequest> = {},
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const request = requestOf(format, articles.length, more);
  const signal = new AbortController().signal;
  const options = { renderArticle: renderArticleHere, signal };
  for await (const chunk of renderExport(request, oneByOne(articles), options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @throws TypeError if the file is not valid UTF-8 */
export async function renderedText(
  format: ExportRequest['format'],
  articles: readonly RenderableArticle[],
  more: Partial<ExportRequest> = {},
): Promise<string> {
  const bytes = await renderedBytes(format, articles, more);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
