// A body to send, from what the caller gave. Must never send something else than was meant: what has no
// JSON (a circle, a BigInt, undefined) is refused before anything is sent.

import { type ErrorFacts, StoppedError } from '#client/errors.ts';

/**
 * @param facts what is known of the intent, for the error
 * @throws StoppedError argument-invalid
 */
export function jsonOf(value: unknown, facts: Partial<ErrorFacts> = {}): string {
  let text: string | undefined;
  let reason: unknown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    reason = error;
  }
  if (text !== undefined) return text;
  const cause = reason === undefined ? {} : { cause: reason };
  throw new StoppedError('argument-invalid', 'What was given has no JSON.', { ...facts, ...cause });
}
