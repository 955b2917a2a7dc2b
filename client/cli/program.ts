// The command line as it is typed: commands, options, help with examples. Everything else is in the
// commands. commander ends with 1 on a mistake in the line, which is why no outcome has that code.

import { Argument, Command } from 'commander';
import { type Add, examples, type Run } from '#client/cli/arguments.ts';
import { completionScript, SHELLS, type Shell } from '#client/cli/completion-scripts.ts';
import { EXIT_MEANINGS } from '#client/cli/exit-codes.ts';
import type { Output } from '#client/cli/output.ts';
import { addArticles, addOperations } from '#client/cli/program-groups.ts';
import { addIntents, addJobs } from '#client/cli/program-jobs.ts';
import { VERSION } from '#client/cli/version.ts';

export interface Surroundings {
  readonly run: Run;
  readonly out: Output;
}

/** @throws CommanderError from `parseAsync`, also for help and version: nothing here ends the process */
export function programWith({ run, out }: Surroundings): Command {
  const program = new Command('export-once')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.raw(text),
      writeErr: (text) => out.note(text.trimEnd()),
    })
    .description('Exports articles, once for each intent, however often it has to be asked for.')
    .version(VERSION)
    .option('--json', 'one line of JSON for each result')
    .option('--verbose', 'tell each request that is sent, and how it went')
    .option('--token-file <file>', 'who calls: a file with the token')
    .option('--token-command <command>', 'who calls: a command that prints the token')
    .showHelpAfterError('(--help shows what is possible)')
    .addHelpText('after', AFTER_HELP);
  const groups: readonly Add[] = [addIntents, addJobs, addOperations, addArticles];
  for (const add of groups) add(program, run);
  program
    .command('completion')
    .description('print completion for a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nFor example: source <(export-once completion bash)')
    .action((shell: Shell) => void out.raw(completionScript(program, shell)));
  return program;
}

export function jsonIsAskedFor(line: readonly string[]): boolean {
  const before = line.includes('--') ? line.slice(0, line.indexOf('--')) : line;
  return before.includes('--json');
}

const AFTER_HELP = `
Environment:
  EXPORT_ONCE_URL        where the service is, for example http://127.0.0.1:8787
  EXPORT_ONCE_TOKEN      who calls, unless --token-file or --token-command says so
  EXPORT_ONCE_STATE_DIR  where intents are kept (default: the user's state directory)

Exit codes:
${Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
  .join('\n')}
${examples(
  'create a-1 a-2 --format epub',
  'resume',
  'wait JOB && export-once download JOB',
  'create a-1 a-2 --format epub --download -o articles.epub',
)}`;
