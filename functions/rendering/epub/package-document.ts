// The book's package document: what it is called, which languages it speaks, and its pages in order.
// Its identifier is made of its content, so the same articles exported again are the same book.

import type { Element } from 'xast';
import { directionOf, isKnownLanguage, languageTag } from '#rendering/article-tree/language.ts';
import { STYLE_PATH } from '#rendering/epub/book-page.ts';
import { xmlDocument, xmlElement } from '#rendering/epub/write-xml.ts';

export const NAVIGATION_PATH = 'contents.xhtml';

export type BookArticle = {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  /** Of its page, beside the package document. */
  readonly path: string;
};

export type Book = {
  readonly title: string;
  readonly language: string;
  /** A URN made of the content. */
  readonly identifier: string;
  readonly createdAtMs: number;
  readonly articles: readonly BookArticle[];
};

const FEATURES = ['tableOfContents', 'structuralNavigation', 'readingOrder'];

export function packageDocument(book: Book): string {
  const direction = directionOf(book.language);
  const spine = direction === 'auto' ? {} : { 'page-progression-direction': direction };
  return xmlDocument(
    xmlElement(
      'package',
      {
        xmlns: 'http://www.idpf.org/2007/opf',
        version: '3.0',
        'unique-identifier': 'book-id',
        'xml:lang': languageTag(book.language),
      },
      metadata(book),
      xmlElement('manifest', {}, ...manifestItems(book)),
      xmlElement(
        'spine',
        spine,
        itemref('contents'),
        ...book.articles.map((_, i) => itemref(`a${i + 1}`)),
      ),
    ),
  );
}

function metadata({ identifier, title, language, createdAtMs, articles }: Book): Element {
  const modified = new Date(createdAtMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const meta = (property: string, value: string) => xmlElement('meta', { property }, value);
  return xmlElement(
    'metadata',
    { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' },
    xmlElement('dc:identifier', { id: 'book-id' }, identifier),
    xmlElement('dc:title', {}, title),
    ...languagesOf(language, articles).map((tag) => xmlElement('dc:language', {}, tag)),
    meta('dcterms:modified', modified),
    meta('schema:accessMode', 'textual'),
    meta('schema:accessModeSufficient', 'textual'),
    ...FEATURES.map((feature) => meta('schema:accessibilityFeature', feature)),
    meta('schema:accessibilityHazard', 'none'),
  );
}

/** The book's own language first, then what else its articles speak; `und` if nobody said. */
function languagesOf(language: string, articles: readonly BookArticle[]): readonly string[] {
  const tags = [language, ...articles.map((article) => article.language)]
    .filter(isKnownLanguage)
    .map(languageTag);
  return tags.length === 0 ? [languageTag('und')] : [...new Set(tags)];
}

function manifestItems({ articles }: Book): Element[] {
  const xhtml = { 'media-type': 'application/xhtml+xml' };
  return [
    manifestItem({ id: 'contents', href: NAVIGATION_PATH, ...xhtml, properties: 'nav' }),
    manifestItem({ id: 'style', href: STYLE_PATH, 'media-type': 'text/css' }),
    ...articles.map(({ path }, index) =>
      manifestItem({ id: `a${index + 1}`, href: path, ...xhtml }),
    ),
  ];
}

function manifestItem(attributes: {
  readonly id: string;
  readonly href: string;
  readonly 'media-type': string;
  readonly properties?: string;
}): Element {
  return xmlElement('item', attributes);
}

function itemref(idref: string): Element {
  return xmlElement('itemref', { idref });
}
