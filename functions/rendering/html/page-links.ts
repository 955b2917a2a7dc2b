// Links of a page: one that leads somewhere keeps its address; one that does not (relative to a page the
// file does not have, to a heading that is not there, or to code) stays as text that shows on demand where
// it led. Links never nest, however they came to.

import type { Element, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import { linkTargetOf, shownTarget } from '#rendering/article-tree/link-target.ts';
import type { NamedPlaces } from '#rendering/html/named-places.ts';

export function setOutLinks(page: Root, places: NamedPlaces): void {
  visit(page, 'element', (node) => {
    if (node.tagName !== 'a') return;
    unwrapLinksIn(node);
    const { href } = node.properties;
    if (typeof href === 'string') setOut(node, href, places);
    return SKIP;
  });
}

function setOut({ properties }: Element, href: string, places: NamedPlaces): void {
  const target = linkTargetOf(href);
  if (target.kind === 'absolute') return;
  const id = target.kind === 'fragment' ? places.get(target.id) : undefined;
  if (id !== undefined) {
    properties.href = `#${encodeURIComponent(id)}`;
    return;
  }
  delete properties.href;
  const written = shownTarget(href);
  properties.title = properties.title ? `${properties.title} (${written})` : written;
}

/** A footnote inside a link: the outer link wins, and the inner one stays as a place to come back to. */
function unwrapLinksIn(link: Element): void {
  visit(link, 'element', (node) => {
    if (node === link || node.tagName !== 'a') return;
    node.tagName = 'span';
    node.properties = node.properties.id === undefined ? {} : { id: node.properties.id };
  });
}
