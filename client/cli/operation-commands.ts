// `operations show` and `operations abandon`: an intent by its key. What the service has said is told and
// kept whatever the journal here is like.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode, messageOf } from '#client/cli/exit-codes.ts';
import type { Ending } from '#client/cli/journal.ts';
import { isProblemError } from '#client/errors.ts';
import { checkedKey } from '#client/idempotency-key.ts';

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
  given: string,
  commands: Commands,
): Promise<ExitCode> {
  const { client, out, signal } = commands;
  const key = checkedKey(given);
  try {
    const abandonment = await client.abandonOperation(key, { signal });
    const isSure = abandonment.executed === 'no';
    if (isSure) await learn(key, { kind: 'not-executed', byAll: true }, commands);
    out.result(
      abandonment,
      isSure
        ? 'Abandoned: it was not executed, and it will not be.'
        : 'Abandoned. The key is so old that whether it was executed earlier is not known.',
    );
    return isSure ? EXIT.done : EXIT.unknown;
  } catch (error) {
    if (isProblemError(error) && error.problem.code === 'operation-committed') {
      await learn(key, { kind: 'executed', jobId: error.job?.id }, commands);
    }
    throw error;
  }
}

/** Only what this journal keeps an intent of. */
async function learn(
  key: string,
  ending: Ending,
  { journal, scope, out }: Commands,
): Promise<void> {
  try {
    const intent = journal.find(key, scope);
    if (intent?.state !== 'open') return;
    const closing = await journal.close(intent, ending);
    if (closing.kind === 'open') out.note(`${closing.why} The intent stays open there.`);
  } catch (error) {
    out.note(messageOf(error));
  }
}
