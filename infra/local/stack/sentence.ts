// A failure that a person can act on: one clear sentence and no stack. The commands of this room
// print it to stderr and end with exit code 1; anything else that is thrown is a bug and keeps its stack.

export class Sentence extends Error {
  override readonly name = 'Sentence';
}

/** Prints a failure for a person: the sentence alone, or the whole error when it is a bug. */
export function explain(failure: unknown): string {
  if (failure instanceof Sentence) return failure.message;
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}
