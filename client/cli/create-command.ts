// `create`: one intent, kept in the journal before it is sent. Whatever ends this process from then on,
// `resume` finds the intent and settles it under its own key. Must never say that nothing was executed
// while the journal holds the intent open: `resume` would execute it.

import type { Commands } from '#client/cli/commands.ts';
import { type FollowFlags, finishCreated, refuseFollowing } from '#client/cli/create-follow-up.ts';
import { EXIT, type ExitCode, UsageError } from '#client/cli/exit-codes.ts';
import { haveSameParams, type Intent } from '#client/cli/intent.ts';
import { openedIntent } from '#client/cli/journal.ts';
import { type FailureContext, reportFailure } from '#client/cli/report-failure.ts';
import { STANDARD_OUTPUT } from '#client/cli/save-file.ts';
import type { CreatedExportJob } from '#client/create-export-job.ts';
import { isProblemError, outcomeOf } from '#client/errors.ts';
import type { CreateExportJobParams } from '#client/export-job.ts';
import { checkedKey } from '#client/idempotency-key.ts';
import type { ProblemCode } from '#contract/problem-catalogue.ts';

export interface CreateFlags extends FollowFlags {
  readonly key?: string | undefined;
  /** The key was never sent before, from nowhere. */
  readonly fresh?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/** One sending of an intent. */
interface Sending {
  readonly params: CreateExportJobParams;
  readonly flags: CreateFlags;
  /** What the journal knew of the key. */
  readonly earlier: Intent | undefined;
  /** Of other keys, open with the same parameters. */
  readonly alike: readonly Intent[];
  /** Set when the intent is about to be kept; `done` when that has ended, however it ended. */
  kept?: { readonly intent: Intent; readonly done: Promise<boolean> };
}

export async function createCommand(
  params: CreateExportJobParams,
  flags: CreateFlags,
  commands: Commands,
): Promise<ExitCode> {
  refuseFollowing(flags, commands.out);
  const sending = prepare(params, flags, commands);
  for (const { key, createdAt } of sending.alike) {
    commands.out.note(
      `An intent with the same parameters is open since ${createdAt} under the key ${key}: ` +
        'export-once resume settles it. This is another one.',
    );
  }
  let created: CreatedExportJob;
  try {
    created = await send(sending, commands);
  } catch (error) {
    return failed(error, sending, commands);
  }
  await recordCreated(created, sending, commands);
  return finishCreated(created.jobId, { flags, format: params.format }, commands);
}

/** @throws UsageError, LocalError, StoppedError: nothing was sent and nothing is kept */
function prepare(
  params: CreateExportJobParams,
  flags: CreateFlags,
  { journal, scope }: Commands,
): Sending {
  const key = flags.key === undefined ? undefined : checkedKey(flags.key);
  const earlier = key === undefined ? undefined : journal.find(key, scope);
  // What was refused left its key free: it may be corrected.
  if (earlier && earlier.state !== 'not-executed' && !haveSameParams(earlier.params, params)) {
    const advice = earlier.state === 'open' ? ' It is open: export-once resume settles it.' : '';
    throw new UsageError(`The key ${key} is in the journal with other parameters.${advice}`);
  }
  const alike = openIntents(journal).filter(
    (intent) =>
      intent.url === scope.url &&
      intent.principal === scope.principal &&
      intent.key !== key &&
      haveSameParams(intent.params, params),
  );
  return { params, flags: { ...flags, key }, earlier, alike };
}

/** Only for a warning: a folder that cannot be read is another's to complain of. */
function openIntents(journal: Commands['journal']): readonly Intent[] {
  try {
    return journal.openIntents().intents;
  } catch {
    return [];
  }
}

async function send(sending: Sending, commands: Commands): Promise<CreatedExportJob> {
  const { client, journal, scope, out, signal } = commands;
  const { params, earlier, flags } = sending;
  return client.createExportJob(params, {
    signal,
    ...(flags.key !== undefined && { idempotencyKey: flags.key }),
    ...(flags.timeoutMs !== undefined && { timeoutMs: flags.timeoutMs }),
    resumed: isPerhapsSent(sending),
    async onIdempotencyKey(key) {
      const createdAt = earlier?.createdAt ?? new Date().toISOString();
      const intent = openedIntent({ key, params, createdAt }, scope);
      const keeping = journal.keep(intent);
      const done = keeping.then(
        () => true,
        () => false,
      );
      sending.kept = { intent, done };
      await keeping;
      out.note(`The intent is kept under the key ${key}.`);
    },
    onAttempt({ attempt, failure, code, retryInMs }) {
      if (retryInMs === undefined) return;
      out.note(`Attempt ${attempt}: ${failure ?? code}; again in ${Math.ceil(retryInMs)} ms.`);
    },
  });
}

/** A key of the caller's own may have been sent from elsewhere, also since it was refused from here. */
function isPerhapsSent({ earlier, flags }: Sending): boolean {
  if (earlier && earlier.state !== 'not-executed') return true;
  return flags.key !== undefined && flags.fresh !== true;
}

async function recordCreated(
  created: CreatedExportJob,
  { kept, alike, flags }: Sending,
  { journal, out }: Commands,
): Promise<void> {
  const { jobId, replayed, settledBy } = created;
  if (kept) {
    const closing = await journal.close(kept.intent, { kind: 'executed', jobId });
    // What is known does not become unknown by that: `resume` asks again, and gets the same job.
    if (closing.kind === 'open') out.note(`${closing.why} The intent stays open there.`);
  }
  const how =
    settledBy === 'look-up' ? ' (found by its key)' : replayed ? ' (it was there already)' : '';
  out.note(`Created job ${jobId}${how}.`);
  const openIntents = alike.map(({ key }) => key);
  const result = {
    outcome: 'executed',
    ...created,
    ...(openIntents.length > 0 && { openIntents }),
  };
  // Bytes of a file on standard output stand there alone.
  if (flags.output !== STANDARD_OUTPUT) out.result(result, jobId);
}

async function failed(error: unknown, sending: Sending, commands: Commands): Promise<ExitCode> {
  const known = await settleFailure(error, sending, commands);
  const code = reportFailure(error, { kind: 'effect', ...(known && { known }) }, commands.out);
  if (code === EXIT.unknown) commands.out.note('To settle it: export-once resume');
  return code;
}

/** Closes the intent by what is known of it, and says what the error alone does not. */
async function settleFailure(
  error: unknown,
  { kept, earlier }: Sending,
  { journal }: Commands,
): Promise<FailureContext['known']> {
  if (earlier?.state === 'executed') {
    const { jobId: id } = earlier;
    const job = id === undefined ? {} : { job: { id, href: `/v1/export-jobs/${id}` } };
    return { outcome: 'executed', ...job, why: 'It was executed earlier, the journal says.' };
  }
  // An abort does not end a write that is under way: what it leaves is looked at when it has ended.
  if (kept === undefined || !(await kept.done)) return undefined;
  const outcome = isRefusal(error, earlier) ? 'not-executed' : outcomeOf(error);
  if (outcome === undefined || outcome === 'unknown') return undefined;
  const jobId = isProblemError(error) ? error.job?.id : undefined;
  const ending = outcome === 'executed' ? { kind: outcome, jobId } : { kind: outcome };
  const closing = await journal.close(kept.intent, ending);
  if (outcome === 'not-executed' && closing.kind === 'open') {
    const why = `The intent cannot be closed in the journal: ${closing.why}. Resume would send it.`;
    return { outcome: 'unknown', why };
  }
  return { outcome, why: '' };
}

/** Refusals before which the service looks at what is recorded under the key, and of keys that nobody can use. */
const REFUSED_AFTER_A_LOOK: ReadonlySet<string> = new Set<ProblemCode>([
  'validation-failed',
  'source-batch-taken',
  'operation-abandoned',
  'idempotency-key-in-future',
  'idempotency-key-invalid',
  'idempotency-key-missing',
]);

/** Such a refusal says that nothing was recorded, from wherever the key may have been sent. */
function isRefusal(error: unknown, earlier: Intent | undefined): boolean {
  if (!isProblemError(error) || earlier?.state === 'open' || error.outcome === 'executed') {
    return false;
  }
  return (
    REFUSED_AFTER_A_LOOK.has(error.problem.code) &&
    error.attempts.every(({ executed }) => executed === 'no')
  );
}
