// What a script may conclude from how the command ended. 1 is left to mistakes in the command line, for
// which nothing is ever sent. The table in the package's README is compared with this one by a test.

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
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done as asked',
  1: 'the command line is wrong; nothing was sent',
  3: 'not executed, and it will not be',
  4: 'executed earlier or by another request; the job is named if it is known',
  5: 'unknown: it may have been executed; `export-once resume` settles it under its own key',
  6: 'the job failed or was cancelled',
  7: 'the job has not finished in time; it goes on',
  8: 'nothing was to be executed, and the service refused or gave no answer that counts',
  9: 'a file here cannot be read or written; nothing was sent',
  130: 'interrupted while nothing was being executed',
};

/** A file on this machine is the trouble. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
}

/** The command line is the trouble. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
