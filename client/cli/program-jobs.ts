// `create`, `resume`, and the commands about jobs, as they are typed.

import { type Command, Option } from 'commander';
import {
  type Add,
  examples,
  force,
  job,
  max,
  output,
  type Run,
  timeout,
} from '#client/cli/arguments.ts';
import { createCommand } from '#client/cli/create-command.ts';
import { downloadCommand } from '#client/cli/download-command.ts';
import { FORMATS, STATUSES } from '#client/cli/formats.ts';
import { cancelCommand, listCommand, statusCommand } from '#client/cli/job-commands.ts';
import { resumeCommand } from '#client/cli/resume-command.ts';
import { waitCommand } from '#client/cli/wait-command.ts';

export const addIntents: Add = (program, run) => {
  addCreate(program, run);
  program
    .command('resume')
    .description('settle every open intent of this caller under its own key')
    .addOption(timeout('--timeout', '30 for each'))
    .addHelpText('after', examples('resume'))
    .action(({ timeout: timeoutMs }) =>
      run('effect', (commands) => resumeCommand({ timeoutMs }, commands)),
    );
};

function addCreate(program: Command, run: Run): void {
  program
    .command('create')
    .description(
      'create an export job and print its ID; the intent is kept on disk before it is sent',
    )
    .argument('<article...>', 'IDs of the articles, in the order of the file')
    .addOption(new Option('--format <format>').choices(FORMATS).default('text'))
    .option('--title <title>')
    .option('--language <tag>', 'BCP 47, for example en')
    .option('--source-batch <id>', 'one job for one source batch, for ever')
    .option('--key <key>', 'idempotency key of the intent (default: a new one)')
    .option('--fresh', 'the key was never sent before, from nowhere')
    .addOption(timeout('--timeout', '30'))
    .option('--wait', 'wait until the job has finished')
    .addOption(timeout('--wait-timeout', '900'))
    .option('--download', 'wait, and save the file')
    .addOption(output())
    .addOption(force())
    .addHelpText(
      'after',
      examples(
        'create a-1 a-2 --format epub --title "Two articles"',
        'create a-1 --source-batch 2026-05 --json',
        'create a-1 --format epub --download -o articles.epub',
      ),
    )
    .action((articleIds: string[], { format, title, language, sourceBatch, ...flags }) => {
      const params = {
        articleIds,
        format,
        ...(title !== undefined && { title }),
        ...(language !== undefined && { language }),
        ...(sourceBatch !== undefined && { sourceBatchId: sourceBatch }),
      };
      const { timeout: timeoutMs, waitTimeout: waitTimeoutMs, ...others } = flags;
      return run('effect', (commands) =>
        createCommand(params, { ...others, timeoutMs, waitTimeoutMs }, commands),
      );
    });
}

export const addJobs: Add = (program, run) => {
  program
    .command('status')
    .description('show a job as it is now')
    .addArgument(job())
    .action((jobId: string) => run('read', (commands) => statusCommand(jobId, commands)));
  program
    .command('wait')
    .description('wait until a job has finished')
    .addArgument(job())
    .addOption(timeout('--timeout', '900'))
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
  addDownload(program, run);
};

function addDownload(program: Command, run: Run): void {
  program
    .command('download')
    .description('save the file of a job when its size and digest are right')
    .addArgument(job())
    .addOption(output())
    .addOption(force())
    .addOption(timeout('--timeout', '300'))
    .addHelpText(
      'after',
      examples(
        'download 0190f5fe-1b7c-7000-8000-abcdefabcdef -o articles.epub',
        'download 0190f5fe-1b7c-7000-8000-abcdefabcdef -o - | wc -w',
      ),
    )
    .action((jobId: string, { output: file, force: replace, timeout: timeoutMs }) =>
      run('read', (commands) =>
        downloadCommand(jobId, { output: file, force: replace, timeoutMs }, commands),
      ),
    );
}
