// Every string that an author wrote, cleaned in place. After parsing, since a character reference such as
// `&#x202E;` becomes its character only there.

import type { Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { cleanText } from '#rendering/article-tree/clean-text.ts';

const WRITTEN_FIELDS = ['value', 'url', 'title', 'alt', 'lang', 'meta', 'label', 'identifier'];

export function cleanTree(tree: Root): void {
  visit(tree, (node) => {
    const fields = node as unknown as Record<string, unknown>;
    for (const field of WRITTEN_FIELDS) {
      const value = fields[field];
      if (typeof value === 'string') fields[field] = cleanText(value);
    }
  });
}
