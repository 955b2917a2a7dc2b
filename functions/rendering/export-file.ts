// How rendered articles become the bytes of a format's file.
// An assembler holds at most what its format needs of the articles before it, never their Markdown.

import type { ExportRequest, RenderableArticle } from '#rendering/export-request.ts';

export type AssembledArticle = {
  readonly number: number;
  readonly article: RenderableArticle;
  /** What the format's article renderer made of it. */
  readonly content: string;
};

export type ExportFile = {
  /** Whether the file opens with a title of its own, under which the articles stand. */
  readonly hasFileTitle: (request: ExportRequest) => boolean;
  readonly assemble: (
    request: ExportRequest,
    articles: AsyncIterable<AssembledArticle>,
  ) => AsyncIterable<Uint8Array>;
};

const encoder = new TextEncoder();

/** UTF-8 without a byte order mark; a lone surrogate becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
