// A cursor is opaque and bound to the caller and to the filters it was given for: another caller's, a
// forged one, or one carried over to other filters is refused. It only ever points into one's own list.

import type * as z from 'zod';
import { ProblemError } from '#http/problem.ts';
import { hashOfParts } from '#idempotency/scope.ts';

/** Characters of the binding in a cursor. */
const BINDING_CHARACTERS = 16;
const CURSOR_CHARACTERS_MAX = 512;

export function makeCursor(after: string, boundTo: readonly string[]): string {
  const binding = bindingOf(after, boundTo);
  return Buffer.from(`${binding}${after}`, 'utf8').toString('base64url');
}

/**
 * @param idSchema what a cursor of this list points at
 * @throws ProblemError validation-failed
 */
export function readCursor(
  cursor: string,
  boundTo: readonly string[],
  idSchema: z.ZodType<string>,
): string {
  const text =
    cursor.length <= CURSOR_CHARACTERS_MAX ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  const after = text.slice(BINDING_CHARACTERS);
  const sound =
    idSchema.safeParse(after).success &&
    text.slice(0, BINDING_CHARACTERS) === bindingOf(after, boundTo) &&
    makeCursor(after, boundTo) === cursor;
  if (!sound) {
    throw new ProblemError('validation-failed', {
      detail: 'This cursor is not of this list. Start again without one.',
      errors: [{ pointer: '/cursor', detail: 'is not a cursor of this caller and these filters' }],
    });
  }
  return after;
}

function bindingOf(after: string, boundTo: readonly string[]): string {
  return hashOfParts(['cursor', ...boundTo, after]).slice(0, BINDING_CHARACTERS);
}
