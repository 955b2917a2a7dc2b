// A line end of the source is a space to a reader, but none between two characters of Chinese or Japanese,
// whose lines are joined as they are.

import type { Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { isWide } from '#rendering/article-tree/display-width.ts';

const LINE_END = /(.?)[ \t]*\n[ \t]*(?=(.?))/gu;

export function joinWideLines(tree: Root): void {
  visit(tree, 'text', (node) => {
    node.value = node.value.replace(LINE_END, (whole, before: string, after: string) =>
      isWide(before) && isWide(after) ? before : whole,
    );
  });
}
