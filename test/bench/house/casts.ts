// Counts the places where code tells the compiler a type instead of showing it: `x as T`. `as const` is not
// one, since it only narrows; a renaming import or export is not one either. A parser counts, not a pattern.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import * as z from 'zod';
import { sourceFiles } from '#test/bench/house/own-files.ts';

const castSchema = z.object({
  type: z.literal('TSAsExpression'),
  typeAnnotation: z.object({ start: z.number(), end: z.number() }),
});

export function countCasts(root: string, folders: readonly string[]): number {
  return sourceFiles(root, folders).reduce((sum, path) => {
    const source = readFileSync(join(root, path), 'utf8');
    const { program, errors } = parseSync(path, source);
    if (errors.length > 0) throw new Error(`${path} does not parse`);
    return (
      sum + castsTo(program).filter(({ start, end }) => source.slice(start, end) !== 'const').length
    );
  }, 0);
}

/** Where the types stand that something is cast to. */
function castsTo(node: unknown): { readonly start: number; readonly end: number }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(castsTo);
  const cast = castSchema.safeParse(node);
  return cast.success ? [cast.data.typeAnnotation, ...below] : below;
}
