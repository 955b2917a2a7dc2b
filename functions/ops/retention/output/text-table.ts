// Tables of plain text, and numbers as people read them.

const THOUSANDS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const numberText = (value: number): string => THOUSANDS.format(value);

export function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ['TB', 1024 ** 4],
    ['GB', 1024 ** 3],
    ['MB', 1024 ** 2],
    ['KB', 1024],
  ] as const) {
    if (bytes >= size) return `${(bytes / size).toPrecision(3)} ${unit}`;
  }
  return `${Math.round(bytes)} B`;
}

export function usdText(usd: number): string {
  return usd > 0 && usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`;
}

/** @param textColumns aligned to the left, as is the last column; numbers to the right */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { textColumns = [0, header.length - 1] }: { readonly textColumns?: readonly number[] } = {},
): string[] {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `  ${widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return textColumns.includes(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')}`.trimEnd();
  return [line(header), ...rows.map(line)];
}
