// One article as a page of the book: XHTML, footnotes marked as such, so that readers show them in place.

import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { bookPage } from '#rendering/epub/book-page.ts';
import { articlePage } from '#rendering/html/article-page.ts';
import { element } from '#rendering/html/element.ts';
import type { RenderInput } from '#rendering/render-input.ts';

export function epubArticle({ article, titleLevel }: RenderInput): string {
  const page = articlePage(article, { headingLevel: titleLevel + 1, idOf: numberedIds() });
  visit(page, 'element', (node) => {
    markFootnotes(node);
    writeOutAddress(node);
  });
  const title = cleanTitle(article.title, article.id);
  const chapter = element(
    'section',
    { 'epub:type': 'chapter' },
    '\n',
    element('h1', {}, title),
    '\n',
    ...(page.children as Element[]),
    '\n',
  );
  return bookPage({ title, language: article.language, body: [chapter] });
}

/** An XML ID may hold less than a slug does, and each page has its own, so they are only numbered. */
function numberedIds(): (name: string) => string {
  const ids = new Map<string, string>();
  return (name) => {
    const id = ids.get(name) ?? `p${ids.size + 1}`;
    ids.set(name, id);
    return id;
  };
}

function markFootnotes({ tagName, properties, children }: Element): void {
  if ('dataFootnoteRef' in properties) properties['epub:type'] = 'noteref';
  if (tagName !== 'section' || !('dataFootnotes' in properties)) return;
  properties['epub:type'] = 'footnotes';
  visit({ type: 'root', children } as Root, 'element', (node) => {
    if (node.tagName === 'li' && node.properties.id) node.properties['epub:type'] = 'footnote';
  });
}

function writeOutAddress({ tagName, properties }: Element): void {
  const { href } = properties;
  if (tagName !== 'a' || typeof href !== 'string' || href.startsWith('#')) return;
  properties.href = strictAddress(href);
}

/** The address as RFC 3986 has it: a book's reader is not as lenient as a browser. */
function strictAddress(address: string): string {
  const { href } = new URL(address);
  const authority = /^[a-z]+:\/\/[^/?#]*/.exec(href)?.[0] ?? '';
  const [path = '', ...fragment] = href.slice(authority.length).split('#');
  const parts = fragment.length === 0 ? [path] : [path, fragment.join('%23')];
  return (
    authority +
    parts
      .map((part) => part.replace(/[^\w\-.~:/?@!$&'()*+,;=%]/gu, encodeURIComponent))
      .join('#')
      .replace(/%(?![0-9a-f]{2})/gi, '%25')
  );
}
