// Elements by hand, for the pages around the articles: text goes in as text and is escaped on the way out.

import type { Element, ElementContent, Properties } from 'hast';

export function element(
  tagName: string,
  properties: Readonly<Record<string, string | number | boolean | string[] | undefined>>,
  ...children: ReadonlyArray<ElementContent | string>
): Element {
  return {
    type: 'element',
    tagName,
    properties: properties as Properties,
    children: children.map((child) =>
      typeof child === 'string' ? { type: 'text', value: child } : child,
    ),
  };
}
