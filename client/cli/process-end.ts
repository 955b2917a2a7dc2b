// How the process ends. Promises: an error that nobody caught, and an end that nobody decided, have a code
// of their own, which no outcome has; the first signal lets the command say what is known, a second one
// ends the process with the code that a shell or npx would give for it.

import { writeSync } from 'node:fs';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { type CommandKind, faultText } from '#client/cli/report-failure.ts';
import type { Told } from '#client/cli/told-stream.ts';

export interface ProcessEnd {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  readonly decide: (code: ExitCode) => void;
  readonly isDecided: () => boolean;
}

export function watchProcessEnd(process: NodeJS.Process): ProcessEnd {
  let decided: ExitCode | undefined;
  const fault = (error: unknown) => {
    try {
      writeSync(2, `${faultText(error)}\n`);
    } catch {
      // Nobody hears it; the code says it.
    }
    process.exit(EXIT.fault);
  };
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  const interrupt = new AbortController();
  // SIGHUP too: a terminal that is closed is no reason to leave an intent unsettled.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (interrupt.signal.aborted) {
        decided = EXIT.interrupted;
        process.exit(EXIT.interrupted);
      }
      interrupt.abort(new Error(`interrupted by ${name}`));
    });
  }
  process.on('exit', () => {
    // Node ends with 0 or 13 when nothing is left to do, whatever was promised to be awaited.
    if (decided === undefined) process.exitCode = EXIT.fault;
  });
  return {
    signal: interrupt.signal,
    decide(code) {
      decided = code;
      process.exitCode = code;
    },
    isDecided: () => decided !== undefined,
  };
}

/** What was done as asked and could not be told is not simply done. */
export function codeWhenTold(code: ExitCode, kind: CommandKind, told: Told): ExitCode {
  if (code !== EXIT.done) return code;
  switch (told.kind) {
    case 'told':
      return code;
    case 'reader-gone':
      // Whoever reads a list may stop where it likes; whoever asks for an effect wants to know of it.
      return kind === 'read' ? code : EXIT.notTold;
    case 'not-written':
      return EXIT.notTold;
  }
}
