// Creates one export job for one intent: one key, one deadline. The key is minted once, handed over to
// be kept, and then sent with every attempt. What cannot be settled by an attempt is looked up by key
// once, in time that was reserved for it. Must never send before the key is kept, and never call an
// intent not executed that may have been.

import type { AttemptReport } from '#client/attempt-report.ts';
import { type CallEnd, call, type FailedCall, nowThereMs } from '#client/call.ts';
import { type CallSpan, openCallSpan } from '#client/call-options.ts';
import type { CallContext } from '#client/call-request.ts';
import { race, type Span, sleep } from '#client/deadline.ts';
import { ATTEMPT_MS_MIN } from '#client/decide.ts';
import { StoppedError } from '#client/errors.ts';
import type { CreateExportJobParams, ExportJobReceipt } from '#client/export-job.ts';
import { errorOf, outcomeOfAttempts } from '#client/failure.ts';
import { checkedKey } from '#client/idempotency-key.ts';
import { jsonOf } from '#client/json-of.ts';
import { lookUpRequest } from '#client/operations.ts';
import { isTemporary, type Outcome, timingOf } from '#client/outcome.ts';
import { acceptReceipt } from '#client/shape.ts';
import { uuidV7 } from '#client/uuid-v7.ts';
import { HEADERS } from '#contract/headers.ts';

/** Kept of the deadline for the last look-up, milliseconds; at most a quarter of it. */
export const LOOK_UP_RESERVE_MS = 2_000;

export interface CreateExportJobOptions {
  /**
   * Names the intent: give the one that you kept to send an intent again.
   * @default a UUIDv7, minted once before the first attempt
   */
  readonly idempotencyKey?: string;
  /**
   * For everything: connecting, sending, waiting, retries and the last look-up. Milliseconds.
   * @default 30000
   */
  readonly timeoutMs?: number;
  /** The same as an instant; the earlier of the two counts. */
  readonly deadline?: Date;
  /**
   * Longest time of one attempt: then it is given up, and another may follow. Milliseconds.
   * @default what the client was given, else 10000
   */
  readonly attemptTimeoutMs?: number;
  /** Ends the call. It does not cancel what may have been created. */
  readonly signal?: AbortSignal;
  /**
   * Keep the key (and the parameters) here. Nothing is sent before the promise that it returns is
   * fulfilled; when it is rejected, nothing is sent at all.
   */
  readonly onIdempotencyKey?: (idempotencyKey: string) => void | PromiseLike<void>;
  /** Hears of each attempt as it ends. */
  readonly onAttempt?: (report: AttemptReport) => void;
  /**
   * True: the intent was, or may have been, sent before under this key. Then refusals alone do not
   * prove that nothing was executed. False declares a key of your own fresh: it names this intent and
   * was never sent by anyone.
   * @default true for a key of your own, false for a minted one
   */
  readonly resumed?: boolean;
}

interface Intent {
  readonly idempotencyKey: string;
  /** Attempts that this call knows nothing of may have been made. */
  readonly sentBefore: boolean;
}

export interface CreatedExportJob {
  readonly jobId: string;
  /** Path of the job. */
  readonly href: string;
  readonly idempotencyKey: string;
  readonly createdAt: string;
  readonly keyExpiresAt: string;
  /** An earlier attempt, perhaps of an earlier call, had created it. */
  readonly replayed: boolean;
  /**
   * `look-up`: no attempt was answered, but the job was found by its key. The service has then not
   * compared the parameters with those of an earlier call under the same key.
   */
  readonly settledBy: 'answer' | 'look-up';
  readonly attempts: readonly AttemptReport[];
}

export async function createExportJob(
  params: CreateExportJobParams,
  options: CreateExportJobOptions,
  context: CallContext,
): Promise<CreatedExportJob> {
  const { world, clock } = context;
  const mintedMs = world.wallMs() + clock.correctionMs();
  const idempotencyKey = checkedKey(
    options.idempotencyKey ?? uuidV7(mintedMs, world.randomBytes(10)),
  );
  const sentBefore = options.resumed ?? options.idempotencyKey !== undefined;
  const intent: Intent = { idempotencyKey, sentBefore };
  const unsent = { idempotencyKey, outcome: sentBefore ? 'unknown' : 'not-executed' } as const;
  // Once: every attempt carries these bytes.
  const body = jsonOf(params, unsent);
  const span = openCallSpan(options, world, { facts: unsent });
  try {
    await keep(options, span, unsent);
    const totalMs = span.remainingMs();
    const end = await call(
      {
        method: 'POST',
        path: '/v1/export-jobs',
        headers: {
          [HEADERS.contentType]: 'application/json',
          [HEADERS.idempotencyKey]: `"${idempotencyKey}"`,
        },
        body,
        key: idempotencyKey,
        effect: 'keyed',
        deadlineEpochMs: span.deadlineEpochMs,
        accept({ status, headers, json }) {
          const receipt = status < 300 ? acceptReceipt(json) : undefined;
          return (
            receipt && { receipt, replayed: headers.get(HEADERS.idempotentReplayed) === 'true' }
          );
        },
      },
      {
        span,
        attemptsEndMs: span.endMs - Math.min(LOOK_UP_RESERVE_MS, totalMs / 4),
        onAttempt: options.onAttempt,
      },
      context,
    );
    if (end.kind === 'success') return created(end, idempotencyKey);
    return await settle(end, { ...intent, span }, context);
  } finally {
    span.close();
  }
}

async function keep(
  { onIdempotencyKey }: CreateExportJobOptions,
  span: Span,
  unsent: { readonly idempotencyKey: string; readonly outcome: Outcome },
): Promise<void> {
  try {
    await race(onIdempotencyKey?.(unsent.idempotencyKey), span.signal);
  } catch (cause) {
    if (span.signal.aborted) return;
    const message = 'The idempotency key could not be kept, so nothing was sent.';
    throw new StoppedError('callback-failed', message, { ...unsent, cause });
  }
}

function created(
  end: Extract<CallEnd<{ receipt: ExportJobReceipt; replayed: boolean }>, { kind: 'success' }>,
  idempotencyKey: string,
): CreatedExportJob {
  const { receipt, replayed } = end.value;
  return {
    jobId: receipt.id,
    href: receipt.links.self,
    idempotencyKey,
    createdAt: receipt.createdAt,
    keyExpiresAt: receipt.keyExpiresAt,
    replayed,
    settledBy: 'answer',
    attempts: end.attempts,
  };
}

/** The attempts have ended without an answer. One look by key, if it can tell more and may be made. */
async function settle(
  end: FailedCall,
  { idempotencyKey, sentBefore, span }: Intent & { readonly span: CallSpan },
  context: CallContext,
): Promise<CreatedExportJob> {
  const facts = { effect: 'keyed', idempotencyKey, sentBefore } as const;
  const withClock = { ...facts, nowMs: nowThereMs(context) };
  if (outcomeOfAttempts(end, facts) !== 'unknown' || !mayLookUp(end, span, context)) {
    throw errorOf(end, withClock);
  }
  // A pause that the service asked for holds for every request.
  await sleep(context.world, pauseBeforeLookUpMs(end), span.signal).catch(() => {});
  const found = await call({ ...lookUpRequest(idempotencyKey), attemptsMax: 1 }, { span }, context);
  const operation = found.kind === 'success' ? found.value : undefined;
  if (operation?.state === 'committed' && operation.job) {
    // What was refused is not what was executed: the job belongs to other parameters of this key.
    if (end.last?.kind === 'problem' && !isTemporary(end.last)) {
      const settled = { outcome: 'executed', job: operation.job } as const;
      throw errorOf(end, { ...withClock, settled });
    }
    return {
      jobId: operation.job.id,
      href: operation.job.href,
      idempotencyKey,
      createdAt: operation.committedAt,
      keyExpiresAt: operation.expiresAt,
      replayed: true,
      settledBy: 'look-up',
      attempts: end.attempts,
    };
  }
  const isOver =
    operation?.state === 'abandoned' || (operation?.state === 'none' && operation.definitive);
  throw errorOf(end, isOver ? { ...withClock, settled: { outcome: 'not-executed' } } : withClock);
}

/** A look-up is a request too: none after an abort, none in a pause asked for, none in an outage. */
function mayLookUp(end: FailedCall, span: Span, { budgetOf, baseUrl }: CallContext): boolean {
  if (
    end.why === 'aborted' ||
    end.why === 'callback-failed' ||
    end.why === 'unsendable' ||
    end.why === 'retry-after-too-long'
  ) {
    return false;
  }
  if (span.remainingMs() < pauseBeforeLookUpMs(end) + ATTEMPT_MS_MIN) return false;
  return budgetOf(new URL(baseUrl).origin).take();
}

function pauseBeforeLookUpMs({ last }: FailedCall): number {
  return last ? (timingOf(last).retryAfterMs ?? 0) : 0;
}
