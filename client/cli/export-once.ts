// Entry point of the command `export-once`. Ctrl-C ends what is under way and says what is known; a
// second one ends the process.

import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { openJournal } from '#client/cli/journal.ts';
import { outputTo } from '#client/cli/output.ts';
import { programWith, type Run } from '#client/cli/program.ts';
import { reportFailure } from '#client/cli/report-failure.ts';
import { journalFolder, readSettings } from '#client/cli/settings.ts';
import { createClient } from '#client/client.ts';

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort(new Error(`interrupted by ${name}`));
  });
}
// Whoever read the output has gone: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

const run: Run = async (kind, command) => {
  const out = outputTo(process, program.opts().json === true);
  let code: ExitCode;
  try {
    const { scope, token } = readSettings(process.env);
    code = await command({
      client: createClient({ url: scope.url, token }),
      journal: openJournal(journalFolder(process.env)),
      scope,
      out,
      signal: interrupt.signal,
    });
  } catch (error) {
    code = reportFailure(error, kind, out);
  }
  process.exitCode = code;
};
const program = programWith(run);

await program.parseAsync();
