// A failure that an operator can act on: one sentence that says what to do next, no stack, exit code 2.
// Exit code 1 is kept for what a command found: a violation, a disagreement.

export class OpsError extends Error {
  override readonly name = 'OpsError';
}

export const EXIT_FOUND = 1;
export const EXIT_FAILED = 2;
