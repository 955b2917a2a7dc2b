// Headings under the article's title, in an outline without gaps: a level is the depth of nesting, so that
// no reader and no table of contents meets an h5 right below an h2.

import type { Heading, Root } from 'mdast';
import { toString as plainTextOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';

const LEVEL_MAX = 6;

/** Gives each heading its place in the outline, the outermost at `firstLevel`. One without text goes. */
export function levelHeadings(tree: Root, firstLevel: number): void {
  const above: number[] = [];
  visit(tree, 'heading', (heading, index, parent) => {
    if (isBlank(heading) && parent !== undefined) {
      parent.children.splice(index as number, 1);
      return index;
    }
    while ((above.at(-1) ?? 0) >= heading.depth) above.pop();
    above.push(heading.depth);
    heading.depth = Math.min(firstLevel + above.length - 1, LEVEL_MAX) as Heading['depth'];
    return undefined;
  });
}

function isBlank(heading: Heading): boolean {
  if (plainTextOf(heading).trim() !== '') return false;
  let hasNote = false;
  visit(heading, 'footnoteReference', () => {
    hasNote = true;
  });
  return !hasNote;
}

/** An article that opens with its own title says it once: the file has put the title there already. */
export function dropRepeatedTitle(tree: Root, title: string): void {
  const [first] = tree.children;
  if (first?.type !== 'heading' || first.depth !== 1) return;
  if (comparable(plainTextOf(first)) === comparable(title)) tree.children.shift();
}

function comparable(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
