// Trees as XML text: the only place where the book's files are written, so the only one that escapes.

import type { Root as HtmlRoot } from 'hast';
import { toXast } from 'hast-util-to-xast';
import type { Element, ElementContent, Root } from 'xast';
import { toXml } from 'xast-util-to-xml';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const XML_OPTIONS = { closeEmptyElements: true };

export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: ReadonlyArray<ElementContent | string>
): Element {
  return {
    type: 'element',
    name,
    attributes,
    children: children.map((child) =>
      typeof child === 'string' ? { type: 'text', value: child } : child,
    ),
  };
}

export function xmlDocument(root: Element): string {
  return written({ type: 'root', children: [root] });
}

/** A page of HTML elements as XHTML. */
export function xhtmlDocument(html: HtmlRoot['children'][number]): string {
  const page: HtmlRoot = { type: 'root', children: [{ type: 'doctype' }, html] };
  return written(toXast(page) as Root);
}

/** There is no CDATA section in what we write, so what would end one is text, and must not look like it. */
function written(document: Root): string {
  return `${DECLARATION}${toXml(document, XML_OPTIONS).replaceAll(']]>', ']]&gt;')}\n`;
}
