// `resume`: settles every open intent of this caller at this address under its own key: sends it again,
// and if the service refuses it for good, makes sure that it will not be executed. Must never mint a key.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { type Intent, titleOf } from '#client/cli/intent.ts';
import { oneLine } from '#client/cli/job-lines.ts';
import type { ExportOnceClient } from '#client/client.ts';
import { isNoAnswerError, isProblemError, isStoppedError } from '#client/errors.ts';

type Settlement =
  | { readonly outcome: 'executed'; readonly jobId?: string }
  | { readonly outcome: 'not-executed'; readonly why: string }
  | { readonly outcome: 'unknown'; readonly why: string; readonly unreachable?: true };

export async function resumeCommand(
  { timeoutMs }: { readonly timeoutMs?: number | undefined },
  commands: Commands,
): Promise<ExitCode> {
  const { journal, scope, out, signal } = commands;
  journal.tidy(Date.now());
  const { intents, damaged } = journal.openIntents();
  const mine = intents.filter(
    ({ url, principal }) => url === scope.url && principal === scope.principal,
  );
  const settled: object[] = [];
  let open = mine.length;
  for (const intent of mine) {
    const settlement = await settle(commands.client, intent, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const { key, params } = intent;
    settled.push({ key, ...(params.title && { title: params.title }), ...settlement });
    out.note(lineOf(intent, settlement));
    if (settlement.outcome === 'unknown') {
      if (settlement.unreachable || signal.aborted) break;
      continue;
    }
    open -= 1;
    await close(intent, settlement, commands);
  }
  const elsewhere = intents.length - mine.length;
  const counts = `${mine.length - open} settled, ${open} open`;
  const others = elsewhere > 0 ? `; ${elsewhere} of another address or caller` : '';
  out.result({ settled, open, elsewhere, damaged }, `${counts}${others}.`);
  if (damaged.length > 0) out.note(`These files cannot be read: ${damaged.join(', ')}`);
  if (open > 0) return EXIT.unknown;
  return damaged.length > 0 ? EXIT.local : EXIT.done;
}

/** Settled at the service: if that cannot be kept here, the next `resume` learns it again. */
async function close(
  intent: Intent,
  settlement: Exclude<Settlement, { readonly outcome: 'unknown' }>,
  { journal, out }: Commands,
): Promise<void> {
  const closing = await journal.close(
    intent,
    settlement.outcome === 'executed'
      ? { kind: 'executed', jobId: settlement.jobId }
      : { kind: 'not-executed', byAll: true },
  );
  if (closing.kind === 'open') out.note(`${closing.why} The intent stays open there.`);
}

interface SettleOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

async function settle(
  client: ExportOnceClient,
  { key, params }: Intent,
  options: SettleOptions,
): Promise<Settlement> {
  try {
    const again = { ...options, idempotencyKey: key, resumed: true };
    const { jobId } = await client.createExportJob(params, again);
    return { outcome: 'executed', jobId };
  } catch (error) {
    if (isProblemError(error)) {
      if (error.outcome === 'executed') return executed(error.job?.id);
      if (error.outcome === 'not-executed')
        return { outcome: 'not-executed', why: error.problem.code };
      if (isAboutTheCaller(error.problem.status))
        return { outcome: 'unknown', why: error.problem.code };
      return makeSure(client, { key, why: error.problem.code }, options);
    }
    if (isNoAnswerError(error) || isStoppedError(error)) {
      const sentNone =
        error.attempts.length > 0 &&
        error.attempts.every(({ status, executed }) => !status && executed === 'no');
      const unreachable = sentNone ? ({ unreachable: true } as const) : {};
      return { outcome: 'unknown', why: error.message, ...unreachable };
    }
    throw error;
  }
}

/** The service will not take it any more. Was it taken before? If not, it never will be. */
async function makeSure(
  client: ExportOnceClient,
  { key, why }: { readonly key: string; readonly why: string },
  options: SettleOptions,
): Promise<Settlement> {
  try {
    const abandonment = await client.abandonOperation(key, options);
    if (abandonment.executed === 'no') return { outcome: 'not-executed', why };
    // So old that its record may be gone: the job still knows its key.
    for await (const job of client.listJobs({ ...options, idempotencyKey: key }))
      return executed(job.id);
    return { outcome: 'unknown', why: `${why}; older than what the service keeps of keys` };
  } catch (error) {
    if (isProblemError(error) && error.outcome === 'executed') return executed(error.job?.id);
    if (isProblemError(error) || isNoAnswerError(error) || isStoppedError(error)) {
      return { outcome: 'unknown', why: error.message };
    }
    throw error;
  }
}

function executed(jobId: string | undefined): Settlement {
  return { outcome: 'executed', ...(jobId !== undefined && { jobId }) };
}

/** The token is the trouble, not the intent. */
function isAboutTheCaller(status: number): boolean {
  return status === 401 || status === 403;
}

function lineOf({ key, params }: Intent, settlement: Settlement): string {
  const title = `(${oneLine(titleOf(params))})`;
  switch (settlement.outcome) {
    case 'executed':
      return `${key}  executed: job ${settlement.jobId ?? '(no longer known)'}  ${title}`;
    case 'not-executed':
      return `${key}  not executed (${settlement.why})  ${title}`;
    case 'unknown':
      return `${key}  still open: ${settlement.why}  ${title}`;
  }
}
