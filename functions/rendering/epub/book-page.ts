// The frame of every page of the book: its language twice, as HTML and as XML have it, and its style.

import type { Element, ElementContent } from 'hast';
import { directionOf, languageTag } from '#rendering/article-tree/language.ts';
import { xhtmlDocument } from '#rendering/epub/write-xml.ts';
import { element } from '#rendering/html/element.ts';

export const STYLE_PATH = 'style.css';

export type BookPage = {
  readonly title: string;
  readonly language: string;
  readonly body: readonly ElementContent[];
};

export function bookPage({ title, language, body }: BookPage): string {
  const tag = languageTag(language);
  return xhtmlDocument(
    element(
      'html',
      {
        xmlns: 'http://www.w3.org/1999/xhtml',
        'xmlns:epub': 'http://www.idpf.org/2007/ops',
        lang: tag,
        xmlLang: tag,
        dir: directionOf(language),
      },
      element('head', {}, element('title', {}, title), styleLink()),
      element('body', {}, '\n', ...body, '\n'),
    ),
  );
}

function styleLink(): Element {
  return element('link', { rel: ['stylesheet'], type: 'text/css', href: STYLE_PATH });
}
