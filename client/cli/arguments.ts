// Arguments and options that several commands have, each with what it may be.

import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Commands } from '#client/cli/commands.ts';
import type { ExitCode } from '#client/cli/exit-codes.ts';
import type { CommandKind } from '#client/cli/report-failure.ts';

/** Runs a command with what it needs, and takes its exit code. */
export type Run = (
  kind: CommandKind,
  command: (commands: Commands) => Promise<ExitCode>,
) => Promise<void>;

/** Adds a group of commands. */
export type Add = (program: Command, run: Run) => void;

export function job(): Argument {
  return new Argument('<job>', 'ID of the job');
}

export function article(): Argument {
  return new Argument('<article>', 'its ID');
}

export function timeout(name: string, shown: string): Option {
  return new Option(`${name} <seconds>`, `for all of it (default: ${shown})`).argParser((text) => {
    const seconds = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400) {
      throw new InvalidArgumentError('It is a number of seconds, at most 86400.');
    }
    return seconds * 1000;
  });
}

export function max(): Option {
  return new Option('--max <count>', 'how many to show').default(50).argParser((text) => {
    if (!/^[1-9]\d{0,6}$/.test(text))
      throw new InvalidArgumentError('It is a whole number from 1.');
    return Number(text);
  });
}

export function output(): Option {
  return new Option(
    '-o, --output <file>',
    '- is standard output (default: <job>.<extension of the format>)',
  );
}

export function force(): Option {
  return new Option('--force', 'replace a regular file that exists').default(false);
}

export function ifMatch(): Option {
  return new Option('--if-match <etag>', 'only if the article is still this one');
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ export-once ${line}`).join('\n')}`;
}
