// An article as JSON: exactly as it is stored, nothing cleaned, nothing rendered.

import type { RenderInput } from '#rendering/render-input.ts';

export function jsonArticle({ article }: RenderInput): string {
  const { id, title, language, markdown } = article;
  return JSON.stringify({ id, title, language, markdown });
}
