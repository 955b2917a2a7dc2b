// A tree of elements as HTML text. The only place where HTML is written, so the only one that escapes.

import type { Element } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';

const writer = unified().use(rehypeStringify, { allowDangerousHtml: false }).freeze();

export function htmlOf(node: Element): string {
  return writer.stringify({ type: 'root', children: [node] });
}

/** The opening tag of an element, its attributes escaped, for what is written around a stream. */
export function openingTagOf(node: Element): string {
  return htmlOf({ ...node, children: [] }).replace(/<\/[a-z]+>$/, '');
}
