// `npm run ops -- COMMAND`: what an operator asks of the running service. Results go to stdout, progress
// and failures to stderr. Exit codes: 0 all is well, 1 something was found, 2 the command failed.

import { Command, CommanderError } from 'commander';
import { auditCommand } from '#ops/audit/command.ts';
import { inspectCommand } from '#ops/inspect/command.ts';
import { EXIT_FAILED, OpsError } from '#ops/ops-error.ts';
import { retentionCommand } from '#ops/retention/command.ts';

const program = new Command('ops')
  .description('Looks into a deployed stage, or into the stack on this machine.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .addHelpText('after', '\nEach command has examples: npm run ops -- inspect --help')
  .addCommand(inspectCommand())
  .addCommand(auditCommand())
  .addCommand(retentionCommand());
for (const command of program.commands) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; help and version are no failure.
    if (error.exitCode !== 0) process.exitCode = EXIT_FAILED;
  } else {
    const sentence = error instanceof OpsError ? error.message : (error as Error)?.stack;
    process.stderr.write(`${sentence ?? String(error)}\n`);
    process.exitCode = EXIT_FAILED;
  }
}
