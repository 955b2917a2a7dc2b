// Entry point of the command `export-once`: what it needs is made here, and whatever becomes of it ends in
// one exit code. Ctrl-C ends what is under way and says what is known; a second one ends the process.

import { CommanderError } from 'commander';
import type { Run } from '#client/cli/arguments.ts';
import { EXIT, type ExitCode, UsageError } from '#client/cli/exit-codes.ts';
import { openJournal } from '#client/cli/journal.ts';
import { outputTo } from '#client/cli/output.ts';
import { codeWhenTold, watchProcessEnd } from '#client/cli/process-end.ts';
import { jsonIsAskedFor, programWith } from '#client/cli/program.ts';
import { type CommandKind, reportFailure } from '#client/cli/report-failure.ts';
import { journalFolder, readSettings } from '#client/cli/settings.ts';
import { USER_AGENT } from '#client/cli/version.ts';
import { openWire } from '#client/cli/wire.ts';
import { createClient } from '#client/client.ts';

const end = watchProcessEnd(process);
const line = process.argv.slice(2);
const out = outputTo(process, {
  json: jsonIsAskedFor(line),
  terminal: process.env.TERM,
});

const run: Run = async (kind, command) => {
  const { tokenFile, tokenCommand, verbose } = program.opts();
  let code: ExitCode;
  try {
    const { scope, token } = await readSettings(
      process.env,
      { tokenFile, tokenCommand },
      end.signal,
    );
    const wire = openWire(USER_AGENT);
    if (verbose) {
      wire.listen(({ request, requestId, came, tookMs }) =>
        out.aside(`${request}  ${came}  ${tookMs} ms  ${requestId ?? ''}`.trimEnd()),
      );
    }
    code = await command({
      client: createClient({ url: scope.url, token: () => token(end.signal), fetch: wire.fetch }),
      journal: openJournal(journalFolder(process.env)),
      scope,
      out,
      wire,
      signal: end.signal,
    });
  } catch (error) {
    code = reportFailure(error, { kind }, out);
  }
  await finish(code, kind);
};

const program = programWith({ run, out });

/** How a command line ended that ran no command: help, a version, a completion, or a mistake in it. */
function codeOfLine(error: unknown): ExitCode {
  if (!(error instanceof CommanderError)) return reportFailure(error, { kind: 'read' }, out);
  if (error.exitCode === 0) return EXIT.done;
  // commander has told people already.
  if (out.json) out.failure({ error: 'usage', message: error.message, exitCode: EXIT.usage }, '');
  return EXIT.usage;
}

async function finish(code: ExitCode, kind: CommandKind): Promise<void> {
  end.decide(codeWhenTold(code, kind, await out.told()));
}

try {
  // Bytes that are no UTF-8 arrive as U+FFFD: two different titles would be one.
  if (line.some((word) => word.includes('\uFFFD'))) {
    throw new UsageError('An argument is no UTF-8 (or holds U+FFFD).');
  }
  await program.parseAsync();
  if (!end.isDecided()) await finish(EXIT.done, 'read');
} catch (error) {
  await finish(codeOfLine(error), 'read');
}
