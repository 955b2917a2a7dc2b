// The command line as it is typed: commands, options, help with examples. Everything else is in the
// commands. commander ends with 1 on a mistake in the line, which is why no outcome has that code.

import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { listArticlesCommand, putArticleCommand } from '#client/cli/article-commands.ts';
import type { Commands } from '#client/cli/commands.ts';
import { createCommand } from '#client/cli/create-command.ts';
import { downloadCommand } from '#client/cli/download-command.ts';
import { EXIT_MEANINGS, type ExitCode } from '#client/cli/exit-codes.ts';
import {
  cancelCommand,
  listCommand,
  statusCommand,
  waitCommand,
} from '#client/cli/job-commands.ts';
import { abandonOperationCommand, showOperationCommand } from '#client/cli/operation-commands.ts';
import type { CommandKind } from '#client/cli/report-failure.ts';
import { resumeCommand } from '#client/cli/resume-command.ts';

/** Runs a command with what it needs, and takes its exit code. */
export type Run = (
  kind: CommandKind,
  command: (commands: Commands) => Promise<ExitCode>,
) => Promise<void>;

const FORMATS = ['text', 'markdown', 'html', 'epub', 'json'];
const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'];

export function programWith(run: Run): Command {
  const program = new Command('export-once')
    .description('Exports articles, once for each intent, however often it has to be asked for.')
    .option('--json', 'one line of JSON for each result')
    .showHelpAfterError('(--help shows what is possible)')
    .addHelpText('after', AFTER_HELP);

  program
    .command('create')
    .description('create an export job; the intent is kept on disk before it is sent')
    .argument('<article...>', 'IDs of the articles, in the order of the file')
    .addOption(new Option('--format <format>').choices(FORMATS).default('text'))
    .option('--title <title>')
    .option('--language <tag>', 'BCP 47, for example en')
    .option('--source-batch <id>', 'one job for one source batch, for ever')
    .option('--key <key>', 'idempotency key of the intent (default: a new one)')
    .addOption(timeout('30'))
    .addHelpText(
      'after',
      examples(
        'create a-1 a-2 --format epub --title "Two articles"',
        'create a-1 --source-batch 2026-05 --json',
      ),
    )
    .action(
      (articleIds: string[], { format, title, language, sourceBatch, key, timeout: timeoutMs }) => {
        const params = {
          articleIds,
          format,
          ...(title !== undefined && { title }),
          ...(language !== undefined && { language }),
          ...(sourceBatch !== undefined && { sourceBatchId: sourceBatch }),
        };
        return run('effect', (commands) => createCommand(params, { key, timeoutMs }, commands));
      },
    );
  program
    .command('resume')
    .description('settle every open intent of this caller under its own key')
    .addOption(timeout('30 for each'))
    .addHelpText('after', examples('resume'))
    .action(({ timeout: timeoutMs }) =>
      run('effect', (commands) => resumeCommand({ timeoutMs }, commands)),
    );
  program
    .command('status')
    .description('show a job as it is now')
    .addArgument(job())
    .action((jobId: string) => run('read', (commands) => statusCommand(jobId, commands)));
  program
    .command('wait')
    .description('wait until a job has finished')
    .addArgument(job())
    .addOption(timeout('900'))
    .addHelpText('after', examples('wait 0190f5fe-1b7c-7000-8000-abcdefabcdef --timeout 60'))
    .action((jobId: string, { timeout: timeoutMs }) =>
      run('read', (commands) => waitCommand(jobId, { timeoutMs }, commands)),
    );
  program
    .command('list')
    .description('list own jobs, newest first')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--source-batch <id>')
    .option('--key <key>', 'jobs of this idempotency key')
    .addOption(max())
    .addHelpText('after', examples('list --status failed', 'list --json --max 1000'))
    .action(({ status, sourceBatch, key, max: count }) =>
      run('read', (commands) =>
        listCommand(
          { status, sourceBatchId: sourceBatch, idempotencyKey: key, max: count },
          commands,
        ),
      ),
    );
  program
    .command('cancel')
    .description('cancel a job; what was done stays done')
    .addArgument(job())
    .action((jobId: string) => run('effect', (commands) => cancelCommand(jobId, commands)));
  program
    .command('download')
    .description('save the file of a job when its size and digest are right')
    .addArgument(job())
    .option('-o, --output <file>', 'default: <job>.<extension of the format>')
    .option('--force', 'replace a file that exists', false)
    .addOption(timeout('300'))
    .addHelpText(
      'after',
      examples('download 0190f5fe-1b7c-7000-8000-abcdefabcdef -o articles.epub'),
    )
    .action((jobId: string, { output, force, timeout: timeoutMs }) =>
      run('read', (commands) => downloadCommand(jobId, { output, force, timeoutMs }, commands)),
    );
  addOperations(program, run);
  addArticles(program, run);
  return program;
}

function addOperations(program: Command, run: Run): void {
  const operations = program.command('operations').description('intents by their idempotency key');
  const key = () => new Argument('<key>', 'idempotency key');
  operations
    .command('show')
    .description('what became of an intent')
    .addArgument(key())
    .action((value: string) => run('read', (commands) => showOperationCommand(value, commands)));
  operations
    .command('abandon')
    .description('make sure that an intent will not be executed')
    .addArgument(key())
    .action((value: string) =>
      run('effect', (commands) => abandonOperationCommand(value, commands)),
    );
}

function addArticles(program: Command, run: Run): void {
  const articles = program.command('articles').description('own articles, the material of exports');
  articles
    .command('put')
    .description('create or replace an article')
    .argument('<article>', 'its ID')
    .argument('<file>', 'Markdown; - reads standard input')
    .requiredOption('--title <title>')
    .option('--language <tag>', 'BCP 47, for example en')
    .option('--if-match <etag>', 'only if the article is still this one')
    .option('--if-absent', 'only if there is none', false)
    .addHelpText('after', examples('articles put a-1 a-1.md --title "First article" --language en'))
    .action((articleId: string, file: string, flags) =>
      run('effect', (commands) => putArticleCommand(articleId, file, flags, commands)),
    );
  articles
    .command('list')
    .description('list own articles')
    .addOption(max())
    .action(({ max: count }) =>
      run('read', (commands) => listArticlesCommand({ max: count }, commands)),
    );
}

function job(): Argument {
  return new Argument('<job>', 'ID of the job');
}

function timeout(shown: string): Option {
  return new Option('--timeout <seconds>', `for all of it (default: ${shown})`).argParser(
    (text) => {
      const seconds = Number(text);
      if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400) {
        throw new InvalidArgumentError('It is a number of seconds, at most 86400.');
      }
      return seconds * 1000;
    },
  );
}

function max(): Option {
  return new Option('--max <count>', 'how many to show').default(50).argParser((text) => {
    if (!/^[1-9]\d{0,6}$/.test(text))
      throw new InvalidArgumentError('It is a whole number from 1.');
    return Number(text);
  });
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ export-once ${line}`).join('\n')}`;
}

const AFTER_HELP = `
Environment:
  EXPORT_ONCE_URL        where the service is, for example http://127.0.0.1:8787
  EXPORT_ONCE_TOKEN      who calls
  EXPORT_ONCE_STATE_DIR  where intents are kept (default: the user's state directory)

Exit codes:
${Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
  .join('\n')}
${examples('create a-1 a-2 --format epub', 'resume', 'wait JOB && export-once download JOB')}`;
