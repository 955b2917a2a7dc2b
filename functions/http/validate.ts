// A schema's refusals as the contract's errors: where, and what is wrong. Never the value.

import type * as z from 'zod';
import { plainWords } from '#contract/plain-words.ts';
import { ProblemError } from '#http/problem.ts';

/** Errors named in one answer. */
const ERRORS_MAX = 20;

export type FieldError = { readonly pointer: string; readonly detail: string };

/** JSON pointers (RFC 6901) of everything wrong. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const errors = error.issues.flatMap((issue): FieldError[] => {
    const pointer = issue.path.map((part) => `/${escapePointer(String(part))}`).join('');
    if (issue.code !== 'unrecognized_keys') return [{ pointer, detail: issue.message }];
    return issue.keys.slice(0, ERRORS_MAX).map((key) => ({
      pointer: `${pointer}/${escapePointer(key)}`,
      detail: 'is not a known member',
    }));
  });
  return errors.slice(0, ERRORS_MAX);
}

/** @throws ProblemError validation-failed */
export function parseOrProblem<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: plainWords });
  if (parsed.success) return parsed.data;
  throw new ProblemError('validation-failed', { errors: fieldErrors(parsed.error) });
}

function escapePointer(part: string): string {
  return part.toWellFormed().slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1');
}
