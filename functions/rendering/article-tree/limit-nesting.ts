// Nesting that no page could show is cut: below the limit quotes, lists and emphasis are taken away and
// what they hold stays, in order. Never recursive, so that no article can overflow the stack here.

import type { Nodes, Parents, Root } from 'mdast';

/** Containers around a node. Browsers stop at 512 elements, and a narrow page much earlier. */
const NESTING_MAX = 50;

const CONTAINERS = new Set(['blockquote', 'list', 'listItem', 'emphasis', 'strong', 'delete']);

export function limitNesting(tree: Root): void {
  const pending: Array<{ parent: Parents; depth: number }> = [{ parent: tree, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { parent, depth } = next;
    // A list holds nothing but items, so it is cut as a whole or not at all.
    if (depth >= NESTING_MAX && parent.type !== 'list') {
      parent.children = parent.children.flatMap(withoutContainers) as never;
    }
    for (const child of parent.children) {
      if ('children' in child) pending.push({ parent: child, depth: depth + 1 });
    }
  }
}

/** The node, or what its containers hold if it is one. */
function withoutContainers(node: Nodes): Nodes[] {
  const kept: Nodes[] = [];
  const pending: Nodes[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (CONTAINERS.has(next.type) && 'children' in next)
      pending.push(...next.children.toReversed());
    else kept.push(next);
  }
  return kept;
}
