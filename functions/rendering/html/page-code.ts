// Code of a page: it reads from left to right, whatever is written around it, and has a class only if its
// language has a name that may be one.

import type { Root } from 'hast';
import { visit } from 'unist-util-visit';

export function setOutCode(page: Root): void {
  visit(page, 'element', ({ tagName, properties }) => {
    if (tagName === 'pre') properties.dir = 'ltr';
    const { className } = properties;
    if (Array.isArray(className) && className.length === 0) delete properties.className;
  });
}
