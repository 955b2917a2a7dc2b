// What is true of every page we write, whoever wrote the article: only our elements, only our attributes,
// no address but those that are followed. All text is escaped, so each `<` in a page begins a real tag.

import { expect } from 'vitest';

const ELEMENTS = new Set(
  (
    'a article blockquote body br code del div em h1 h2 h3 h4 h5 h6 head header hr html li link main meta ' +
    'nav ol p pre section span strong style sup table tbody td th thead time title tr ul'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'aria-describedby aria-label aria-labelledby charset class content data-footnote-backref ' +
    'data-footnote-ref data-footnotes datetime dir epub:type href http-equiv id lang name rel role scope ' +
    'start title type xml:lang xmlns xmlns:epub'
  ).split(' '),
);
const ADDRESS = /^(?:https?:|mailto:|tel:|#|a\d+\.xhtml$|style\.css$)/;

export function expectNothingAlive(page: string): void {
  const body = page.replace(/<style>[^<]*<\/style>/, '');
  for (const [, tag = ''] of body.matchAll(/<([^<>"]*(?:"[^"]*"[^<>"]*)*)>?/g)) {
    if (/^(?:!DOCTYPE html|\?xml version="1\.0" encoding="UTF-8"\?)$/.test(tag)) continue;
    const [, name = ''] = /^\/?([^\s/>]+)/.exec(tag) ?? [];
    expect(ELEMENTS, tag).toContain(name);
    for (const [, attribute, value = ''] of tag.matchAll(/\s([^\s="/]+)(?:="([^"]*)")?/g)) {
      expect(ATTRIBUTES, tag).toContain(attribute);
      if (attribute === 'href') expect(value).toMatch(ADDRESS);
    }
  }
}

export function expectUniqueIds(page: string): void {
  const ids = Array.from(
    page.matchAll(/<[^<>"]*(?:"[^"]*"[^<>"]*)*?\sid="([^"]*)"/g),
    ([, id]) => id,
  );
  expect(ids).toEqual([...new Set(ids)]);
}
