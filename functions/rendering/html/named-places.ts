// Gives each place of a page that has a name (headings, footnotes) an ID that is unique in the whole file,
// and tells which names there are, so that a link to none of them can be seen.

import type { Root } from 'hast';
import { visit } from 'unist-util-visit';

/** The ID of each name within the article that a link may lead to. */
export type NamedPlaces = ReadonlyMap<string, string>;

export function namePlaces(page: Root, idOf: (name: string) => string): NamedPlaces {
  const places = new Map<string, string>();
  visit(page, 'element', ({ properties }) => {
    if (typeof properties.id !== 'string') return;
    // White space may not stand in an ID, and a slug can hold rare kinds of it.
    const name = properties.id;
    const id = idOf(name.replace(/\s/gu, '-'));
    properties.id = id;
    places.set(name, id);
  });
  visit(page, 'element', ({ properties }) => {
    const [described] = Array.isArray(properties.ariaDescribedBy) ? properties.ariaDescribedBy : [];
    const id = places.get(String(described));
    if (id !== undefined) properties.ariaDescribedBy = [id];
  });
  return places;
}
