// The book's table of contents: the page that readers build their menu from, and its first page.

import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { labelsFor } from '#rendering/article-tree/labels.ts';
import { directionOf, languageTag } from '#rendering/article-tree/language.ts';
import { bookPage } from '#rendering/epub/book-page.ts';
import type { BookArticle } from '#rendering/epub/package-document.ts';
import { element } from '#rendering/html/element.ts';

export function navigationPage(
  title: string,
  language: string,
  articles: readonly BookArticle[],
): string {
  const labels = labelsFor(language);
  const entries = articles.map((article) => {
    const tag = languageTag(article.language);
    const properties = {
      href: article.path,
      lang: tag,
      xmlLang: tag,
      dir: directionOf(article.language),
    };
    return element('li', {}, element('a', properties, cleanTitle(article.title, article.id)));
  });
  const heading = { id: 'contents', lang: labels.language, xmlLang: labels.language };
  return bookPage({
    title,
    language,
    body: [
      element('h1', { dir: 'auto' }, title),
      '\n',
      element(
        'nav',
        { 'epub:type': 'toc', role: 'doc-toc', ariaLabelledBy: ['contents'] },
        element('h2', heading, labels.contents),
        element('ol', {}, ...entries),
      ),
    ].map((node) => (typeof node === 'string' ? { type: 'text', value: node } : node)),
  });
}
