// Tables of a page: in a box of their own that scrolls where the page is narrow, aligned by a class (style
// attributes are forbidden), with the heading cells saying what they head.

import type { Element, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import { element } from '#rendering/html/element.ts';

export function setOutTables(page: Root): void {
  visit(page, 'element', (node, index, parent) => {
    if (node.tagName !== 'table' || parent === undefined) return;
    visit(node, 'element', setOutCell);
    parent.children[index as number] = element('div', { className: ['table'] }, node);
    return SKIP;
  });
}

function setOutCell({ tagName, properties }: Element): void {
  if (tagName !== 'td' && tagName !== 'th') return;
  const { align } = properties;
  delete properties.align;
  if (align === 'center' || align === 'right') properties.className = [`align-${align}`];
  if (tagName === 'th') properties.scope = 'col';
}
