// Boxes of a task list as signs: a page that cannot be filled in has no use for form fields.

import type { Root } from 'mdast';
import { visit } from 'unist-util-visit';

const TICKED = '\u2611 ';
const OPEN = '\u2610 ';

export function showTaskBoxes(tree: Root): void {
  visit(tree, 'listItem', (item) => {
    if (item.checked == null) return;
    const sign = item.checked ? TICKED : OPEN;
    item.checked = null;
    item.data = { hProperties: { className: ['task'] } };
    const [first] = item.children;
    if (first?.type === 'paragraph') first.children.unshift({ type: 'text', value: sign });
    else item.children.unshift({ type: 'paragraph', children: [{ type: 'text', value: sign }] });
  });
}
