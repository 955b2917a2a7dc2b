// What a script may conclude from how the command ended. Promises: a code says only what is true whoever
// ended the process; no fault of the command, of Node or of a shell has the code of a promise. 1 is left to
// mistakes in the command line, for which nothing is ever sent. A test compares the package's README.

export const EXIT = {
  done: 0,
  usage: 1,
  notExecuted: 3,
  executedOtherwise: 4,
  unknown: 5,
  jobEndedOtherwise: 6,
  notInTime: 7,
  noAnswer: 8,
  local: 9,
  notTold: 10,
  createdOnly: 11,
  fault: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done as asked',
  1: 'the command line is wrong; nothing was sent',
  3: 'not executed, and it will not be',
  4: 'executed earlier or by another request; the job is named if it is known',
  5: 'unknown: it may have been executed; `export-once resume` settles a create under its own key',
  6: 'the job failed or was cancelled',
  7: 'the job was not seen to finish in time; it goes on',
  8: 'nothing was to be executed, and the service refused or gave no answer that counts',
  9: 'a file here cannot be read or written; nothing was executed because of it',
  10: 'done as asked, but standard output could not be written',
  11: 'the job is created; waiting for it or saving its file did not succeed',
  70: 'a fault of the command itself: it may have been executed; `export-once resume` settles a create',
  130: 'interrupted, here or in npx or a shell above: as 5 if anything was to be executed',
};

/** A file on this machine is the trouble. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
}

/** The command line is the trouble. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `${error}`;
}

/** Of an error of the system: `ENOENT`, `ENOSPC` and the like. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
