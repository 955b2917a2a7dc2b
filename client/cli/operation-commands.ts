// `operations show` and `operations abandon`: an intent by its key.

import type { Commands } from '#client/cli/commands.ts';
import { settleQuietly } from '#client/cli/create-command.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';

export async function showOperationCommand(
  key: string,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const operation = await client.lookupOperation(key, { signal });
  const { state } = operation;
  if (state === 'none') {
    out.result(
      operation,
      operation.definitive
        ? 'Not executed, and it will not be.'
        : 'Nothing is recorded so far. That proves nothing yet: export-once operations abandon makes sure.',
    );
    return operation.definitive ? EXIT.notExecuted : EXIT.unknown;
  }
  const text = state === 'abandoned' ? 'Abandoned.' : `Executed: job ${operation.job?.id}`;
  out.result(operation, text);
  return EXIT.done;
}

export async function abandonOperationCommand(
  key: string,
  { client, journal, scope, out, signal }: Commands,
): Promise<ExitCode> {
  const abandonment = await client.abandonOperation(key, { signal });
  const intent = journal.find(abandonment.key, scope);
  const isSure = abandonment.executed === 'no';
  if (intent?.state === 'open' && isSure) {
    await settleQuietly(journal, intent, 'not-executed', undefined, out.note);
  }
  out.result(
    abandonment,
    isSure
      ? 'Abandoned: it was not executed, and it will not be.'
      : 'Abandoned. The key is so old that whether it was executed earlier is not known.',
  );
  return isSure ? EXIT.done : EXIT.unknown;
}
