// The blocks of an article as lines of plain text: headings underlined, quotes marked, code indented and
// never re-wrapped, a blank line between blocks. Definitions are not shown here: they are notes.

import type { List, RootContent, Table } from 'mdast';
import { displayWidth } from '#rendering/article-tree/display-width.ts';
import { inlineText } from '#rendering/text/text-inline.ts';
import type { TextNotes } from '#rendering/text/text-notes.ts';
import { tableLines } from '#rendering/text/text-table.ts';
import { wrapText } from '#rendering/text/wrap-text.ts';

/** Columns below which deep nesting gets no narrower. */
const COLUMNS_MIN = 24;
const CODE_INDENT = '    ';
const QUOTE_MARK = '> ';
/** By level of the outline under the article's title. */
const UNDERLINES = ['-', '~'] as const;
const DEEPER_UNDERLINE = '.';

export function blockLines(
  nodes: readonly RootContent[],
  notes: TextNotes,
  columnsMax: number,
): string[] {
  return linesOfEach(nodes, notes, columnsMax).flatMap((lines, index) =>
    index === 0 ? lines : ['', ...lines],
  );
}

/** Those of a block each; a block without any is left out. */
function linesOfEach(
  nodes: readonly RootContent[],
  notes: TextNotes,
  columnsMax: number,
): string[][] {
  return nodes
    .map((node) => linesOf(node, notes, Math.max(columnsMax, COLUMNS_MIN)))
    .filter((lines) => lines.length > 0);
}

/** A heading and the line under it, as long as the heading. */
export function underlined(text: string, sign: string, columnsMax: number): string[] {
  const lines = wrapText(text, columnsMax);
  return [...lines, sign.repeat(Math.max(...lines.map(displayWidth)))];
}

function linesOf(node: RootContent, notes: TextNotes, columnsMax: number): string[] {
  switch (node.type) {
    case 'paragraph':
      return wrapText(inlineText(node.children, notes), columnsMax);
    case 'heading': {
      const text = inlineText(node.children, notes);
      const sign = UNDERLINES[node.depth - 1] ?? DEEPER_UNDERLINE;
      return text.trim() === '' ? [] : underlined(text, sign, columnsMax);
    }
    case 'blockquote':
      return marked(blockLines(node.children, notes, columnsMax - 2), QUOTE_MARK, QUOTE_MARK);
    case 'code':
      return node.value.split('\n').map((line) => (CODE_INDENT + line).trimEnd());
    case 'list':
      return listLines(node, notes, columnsMax);
    case 'table':
      return tableLines(cellsOf(node, notes), columnsMax);
    case 'thematicBreak':
      return [`${' '.repeat(Math.floor(columnsMax / 2) - 2)}* * *`];
    default:
      return [];
  }
}

function listLines(list: List, notes: TextNotes, columnsMax: number): string[] {
  const first = list.start ?? 1;
  const widest = String(first + list.children.length - 1).length + 2;
  return list.children.flatMap((item, index) => {
    const mark = list.ordered ? `${first + index}. `.padStart(widest) : '- ';
    const box = item.checked == null ? '' : item.checked ? '[x] ' : '[ ] ';
    const indent = ' '.repeat(mark.length);
    const columns = columnsMax - mark.length - box.length;
    const content = item.spread
      ? blockLines(item.children, notes, columns)
      : linesOfEach(item.children, notes, columns).flat();
    const lines = marked(content.length === 0 ? [''] : content, mark + box, indent);
    return list.spread && index > 0 ? ['', ...lines] : lines;
  });
}

function marked(lines: readonly string[], first: string, rest: string): string[] {
  return lines.map((line, index) => ((index === 0 ? first : rest) + line).trimEnd());
}

function cellsOf(table: Table, notes: TextNotes) {
  const [head = [], ...rows] = table.children.map((row) =>
    row.children.map((cell) => inlineText(cell.children, notes)),
  );
  return { head, rows, align: table.align ?? [] };
}
