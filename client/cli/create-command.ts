// `create`: one intent, kept in the journal before it is sent. Whatever ends this process from then on,
// `resume` finds the intent and settles it under its own key.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode, UsageError } from '#client/cli/exit-codes.ts';
import type { Intent, Journal } from '#client/cli/journal.ts';
import { reportFailure } from '#client/cli/report-failure.ts';
import type { CreatedExportJob } from '#client/create-export-job.ts';
import { outcomeOf } from '#client/errors.ts';
import type { CreateExportJobParams } from '#client/export-job.ts';

export interface CreateFlags {
  readonly key?: string;
  readonly timeoutMs?: number;
}

export async function createCommand(
  params: CreateExportJobParams,
  { key, timeoutMs }: CreateFlags,
  { client, journal, scope, out, signal }: Commands,
): Promise<ExitCode> {
  const earlier = key === undefined ? undefined : journal.find(key, scope);
  if (earlier && JSON.stringify(earlier.params) !== JSON.stringify(params)) {
    throw new UsageError(`The key ${key} is in the journal with other parameters.`);
  }
  let intent: Intent | undefined = earlier;
  try {
    const created = await client.createExportJob(params, {
      signal,
      ...(key !== undefined && { idempotencyKey: key }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      resumed: earlier !== undefined,
      async onIdempotencyKey(idempotencyKey) {
        const createdAt = earlier?.createdAt ?? new Date().toISOString();
        intent = { version: 1, key: idempotencyKey, ...scope, params, createdAt, state: 'open' };
        await journal.write(intent);
        out.note(`The intent is kept under the key ${idempotencyKey}.`);
      },
      onAttempt({ attempt, failure, code, retryInMs }) {
        if (retryInMs === undefined) return;
        out.note(`Attempt ${attempt}: ${failure ?? code}; again in ${Math.ceil(retryInMs)} ms.`);
      },
    });
    if (intent) await settleQuietly(journal, intent, 'executed', created.jobId, out.note);
    out.result(resultOf(created), textOf(created));
    return EXIT.done;
  } catch (error) {
    const outcome = outcomeOf(error);
    if (intent && outcome !== undefined && outcome !== 'unknown') {
      const { job } = error as { job?: { id: string } };
      await settleQuietly(journal, intent, outcome, job?.id, out.note);
    }
    const code = reportFailure(error, 'effect', out);
    if (code === EXIT.unknown) out.note('To settle it: export-once resume');
    return code;
  }
}

/** What is known does not become unknown because the journal cannot be written: `resume` asks again. */
export async function settleQuietly(
  journal: Journal,
  intent: Intent,
  state: 'executed' | 'not-executed',
  jobId: string | undefined,
  note: (text: string) => void,
): Promise<void> {
  try {
    const settledAt = new Date().toISOString();
    await journal.write({ ...intent, state, settledAt, ...(jobId !== undefined && { jobId }) });
  } catch (error) {
    note(`${(error as Error).message} The intent stays open there.`);
  }
}

function resultOf(created: CreatedExportJob): object {
  return { outcome: 'executed', ...created };
}

function textOf({ jobId, replayed, settledBy }: CreatedExportJob): string {
  const how =
    settledBy === 'look-up' ? ' (found by its key)' : replayed ? ' (it was there already)' : '';
  return `Created job ${jobId}${how}.\nNext: export-once wait ${jobId}`;
}
