// One article as Markdown that can stand in one document with others: headings below its title, labels of
// its own, nothing raw, nothing alive. What it says is what the article said.

import type { Heading, Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { displayWidth } from '#rendering/article-tree/display-width.ts';
import { isKnownLanguage, languageTag } from '#rendering/article-tree/language.ts';
import { parseArticle } from '#rendering/article-tree/parse-article.ts';
import type { RenderInput } from '#rendering/render-input.ts';

const writer = unified()
  .use(remarkStringify, { bullet: '-', rule: '-', emphasis: '*', fences: true })
  .use(remarkGfm, { stringLength: displayWidth })
  .freeze();

export function markdownArticle({ article, titleLevel, number }: RenderInput): string {
  const tree = parseArticle(article, { headingLevel: titleLevel + 1, labelPrefix: `a${number}-` });
  const front: Nodes[] = [heading(titleLevel, cleanTitle(article.title, article.id))];
  // A comment of our own: its text is a language tag, which holds letters, digits and hyphens.
  if (isKnownLanguage(article.language)) {
    front.push({ type: 'html', value: `<!-- lang: ${languageTag(article.language)} -->` });
  }
  return writer.stringify({ type: 'root', children: [...front, ...tree.children] } as Root);
}

/** The title of the file or of an article, escaped. */
export function markdownTitle(level: 1 | 2, text: string): string {
  return writer.stringify({ type: 'root', children: [heading(level, text)] });
}

function heading(depth: 1 | 2, value: string): Heading {
  return { type: 'heading', depth, children: [{ type: 'text', value }] };
}
