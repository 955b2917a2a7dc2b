// References and footnotes get labels of the file's own, so that `[1]` of one article is never `[1]` of
// the next. Of two definitions with one label the first counts, as CommonMark has it.

import type { Root } from 'mdast';
import { visit } from 'unist-util-visit';

export function renameReferences(tree: Root, labelPrefix: string): void {
  const links = numbering(labelPrefix);
  const notes = numbering(labelPrefix);
  visit(tree, (node) => {
    switch (node.type) {
      case 'linkReference':
        node.referenceType = 'full';
        node.identifier = node.label = links(node.identifier);
        return;
      case 'definition':
        node.identifier = node.label = links(node.identifier);
        return;
      case 'footnoteReference':
      case 'footnoteDefinition':
        node.identifier = node.label = notes(node.identifier);
    }
  });
}

function numbering(prefix: string): (identifier: string) => string {
  const labels = new Map<string, string>();
  return (identifier) => {
    const label = labels.get(identifier) ?? `${prefix}${labels.size + 1}`;
    labels.set(identifier, label);
    return label;
  };
}
