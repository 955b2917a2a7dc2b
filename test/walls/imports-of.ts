// Every module that a TypeScript file names, with the line it stands on: imports, re-exports, types
// alone, `import(…)` and `import('…').Type`. Read from the syntax tree: text in strings is no import.

import { parseSync, Visitor } from 'oxc-parser';

export type Import = { readonly from: string; readonly line: number };

/** @throws Error when the file is no TypeScript. */
export function importsOf(path: string, source: string): Import[] {
  const { program, errors } = parseSync(path, source);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const found: Import[] = [];
  const take = (from: unknown, start: number) => {
    if (typeof from !== 'string') return;
    found.push({ from, line: source.slice(0, start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: ({ source: from }) => take(from.value, from.start),
    ExportNamedDeclaration: ({ source: from }) => from && take(from.value, from.start),
    ExportAllDeclaration: ({ source: from }) => take(from.value, from.start),
    ImportExpression: ({ source: from }) =>
      from.type === 'Literal' ? take(from.value, from.start) : undefined,
    TSImportType: ({ source: from }) => take(from.value, from.start),
  }).visit(program);
  return found.toSorted((a, b) => a.line - b.line);
}
