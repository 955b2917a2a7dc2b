// A link that must not be followed (`javascript:`, `data:` and the like) is no link in the Markdown we
// write, since nobody knows what will render it: its text stays and its target follows as code.

import type { Nodes, PhrasingContent, Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { linkTargetOf, shownTarget } from '#export-jobs/render/article-tree/link-target.ts';

export function showInertLinks(tree: Root): void {
  const inert = new Map<string, string>();
  const live = new Set<string>();
  visit(tree, 'definition', (node, index, parent) => {
    // The first definition of a label counts: a later one changes nothing.
    if (linkTargetOf(node.url).kind !== 'inert' || parent === undefined) {
      live.add(node.identifier);
      return;
    }
    if (!live.has(node.identifier)) inert.set(node.identifier, node.url);
    parent.children.splice(index as number, 1);
    return index;
  });
  visit(tree, (node, index, parent) => {
    const url = node.type === 'link' ? node.url : inertUrlOf(node, inert);
    if (url === undefined || parent === undefined || !('children' in node)) return;
    if (linkTargetOf(url).kind !== 'inert') return;
    const shown: PhrasingContent[] = [
      ...(node.children as PhrasingContent[]),
      { type: 'text', value: ' (' },
      { type: 'inlineCode', value: shownTarget(url) },
      { type: 'text', value: ')' },
    ];
    parent.children.splice(index as number, 1, ...(shown as never[]));
  });
}

function inertUrlOf(node: Nodes, inert: ReadonlyMap<string, string>): string | undefined {
  return node.type === 'linkReference' ? inert.get(node.identifier) : undefined;
}
