// A table as aligned columns while it fits the page; as a list of records, one `heading: value` a line,
// when it does not. Nothing is cut in either.

import type { AlignType } from 'mdast';
import { displayWidth, padded } from '#rendering/article-tree/display-width.ts';
import { wrapText } from '#rendering/text/wrap-text.ts';

const BETWEEN = ' | ';
const RECORD_INDENT = '  ';

export type TextTable = {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  readonly align: ReadonlyArray<AlignType>;
};

export function tableLines(table: TextTable, columnsMax: number): string[] {
  const all = [table.head, ...table.rows];
  const widths = table.head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 1),
  );
  const total = widths.reduce((sum, width) => sum + width, BETWEEN.length * (widths.length - 1));
  const isOnePerLine = all.every((row) => row.every((cell) => !cell.includes('\n')));
  return total <= columnsMax && isOnePerLine
    ? alignedLines(table, widths)
    : recordLines(table, columnsMax);
}

function alignedLines({ head, rows, align }: TextTable, widths: readonly number[]): string[] {
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => padded(row[column] ?? '', width, align[column] ?? 'left'))
      .join(BETWEEN)
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('-+-'), ...rows.map(line)];
}

function recordLines({ head, rows }: TextTable, columnsMax: number): string[] {
  const records = rows.map((row) =>
    head.flatMap((name, column) => {
      const value = row[column] ?? '';
      if (value === '') return [];
      const text = name === '' ? value : `${name}: ${value}`.replace(/\n/g, ' ');
      const [first = '', ...rest] = wrapText(text, columnsMax - RECORD_INDENT.length);
      return [first, ...rest.map((line) => RECORD_INDENT + line)];
    }),
  );
  const shown = rows.length === 0 ? [wrapText(head.join(BETWEEN), columnsMax)] : records;
  return shown.flatMap((record, index) => (index === 0 ? record : ['', ...record]));
}
