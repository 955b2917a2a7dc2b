// Raw HTML in Markdown is shown, not obeyed: a block becomes a code block, a tag in a line becomes text,
// `<br>` becomes a line break, and a comment, which no reader was meant to see, goes away.
// Nothing an author wrote is lost otherwise, and no later step ever sees an `html` node.

import type { Html, Nodes, Parents, Root } from 'mdast';
import { visit } from 'unist-util-visit';

const COMMENT = /<!--(?:-?>|.*?(?:-->|$))/gs;
const LINE_BREAK = /^<br\s*\/?>$/i;
const PHRASING_PARENTS = new Set(
  'paragraph heading tableCell emphasis strong delete link linkReference'.split(' '),
);

export function showRawHtml(tree: Root): void {
  const parents = new Set<Parents>();
  visit(tree, 'html', (_node, _index, parent) => {
    if (parent !== undefined) parents.add(parent);
  });
  for (const parent of parents) {
    const shown = PHRASING_PARENTS.has(parent.type) ? shownInLine : shownAsBlock;
    parent.children = (parent.children as Nodes[]).flatMap((child) =>
      child.type === 'html' ? shown(child) : [child],
    ) as never;
  }
}

function shownAsBlock({ value }: Html): Nodes[] {
  const rest = value.replace(COMMENT, '').trim();
  return rest === '' ? [] : [{ type: 'code', lang: 'html', value: rest }];
}

function shownInLine({ value }: Html): Nodes[] {
  if (LINE_BREAK.test(value)) return [{ type: 'break' }];
  const rest = value.replace(COMMENT, '');
  return rest === '' ? [] : [{ type: 'text', value: rest }];
}
