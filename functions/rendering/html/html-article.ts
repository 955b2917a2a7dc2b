// One article as an `article` element of the page, in its own language and direction.

import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { directionOf, languageTag } from '#rendering/article-tree/language.ts';
import { articlePage } from '#rendering/html/article-page.ts';
import { element } from '#rendering/html/element.ts';
import { htmlOf } from '#rendering/html/write-html.ts';
import type { RenderInput } from '#rendering/render-input.ts';

/** The ID of the article with this number in the file. */
export function articleElementId(number: number): string {
  return `a${number}`;
}

export function htmlArticle({ article, titleLevel, number }: RenderInput): string {
  const id = articleElementId(number);
  const page = articlePage(article, {
    headingLevel: titleLevel + 1,
    idOf: (name) => `${id}-${name}`,
  });
  const direction = directionOf(article.language);
  return htmlOf(
    element(
      'article',
      { id, lang: languageTag(article.language), dir: direction },
      '\n',
      element(`h${titleLevel}`, {}, cleanTitle(article.title, article.id)),
      '\n',
      ...(page.children as []),
      '\n',
    ),
  );
}
