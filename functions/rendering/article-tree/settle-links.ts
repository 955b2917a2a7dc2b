// Which links stay links. One that must not be followed (`javascript:`, `data:` and the like) is no link in
// any file we write, since nobody knows what will open it: its text stays, its target follows as code.

import type { Link, LinkReference, Nodes, PhrasingContent, Root } from 'mdast';
import { toString as plainTextOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { linkTargetOf, shownTarget } from '#rendering/article-tree/link-target.ts';

export function settleLinks(tree: Root): void {
  const definitions = dropInertDefinitions(tree);
  visit(tree, (node, index, parent) => {
    const url = urlOf(node, definitions);
    if (url === undefined || parent === undefined) return;
    const target = linkTargetOf(url);
    if (target.kind === 'absolute' && node.type === 'link') node.url = target.url;
    if (target.kind !== 'inert') return;
    parent.children.splice(index as number, 1, ...(shown(node as Link, url) as never[]));
  });
}

/** The targets of the inert definitions; the definitions themselves are gone. */
function dropInertDefinitions(tree: Root): ReadonlyMap<string, string> {
  const inert = new Map<string, string>();
  const live = new Set<string>();
  visit(tree, 'definition', (node, index, parent) => {
    const target = linkTargetOf(node.url);
    if (target.kind === 'absolute') node.url = target.url;
    // The first definition of a label counts: a later one changes nothing.
    if (target.kind !== 'inert' || parent === undefined) {
      live.add(node.identifier);
      return;
    }
    if (!live.has(node.identifier) && !inert.has(node.identifier)) {
      inert.set(node.identifier, node.url);
    }
    parent.children.splice(index as number, 1);
    return index;
  });
  return inert;
}

function urlOf(node: Nodes, definitions: ReadonlyMap<string, string>): string | undefined {
  if (node.type === 'link') return node.url;
  return node.type === 'linkReference' ? definitions.get(node.identifier) : undefined;
}

function shown(link: Link | LinkReference, url: string): PhrasingContent[] {
  const target: PhrasingContent = { type: 'inlineCode', value: shownTarget(url) };
  if (plainTextOf(link) === url) return [target];
  return [...link.children, { type: 'text', value: ' (' }, target, { type: 'text', value: ')' }];
}
