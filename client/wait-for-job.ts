// Waits until a job has finished: long polls under a deadline of its own. A poll that fails in passing is
// followed by another, however many there are, until the deadline; what is no passing error ends it.
// Each poll is one attempt: there is no retry inside this loop. Retry-After is honoured.

import type { AttemptReport } from '#client/attempt-report.ts';
import { call, type FailedCall, nowThereMs } from '#client/call.ts';
import { type CallOptions, type CallSpan, openCallSpan } from '#client/call-options.ts';
import type { CallContext, CallRequest } from '#client/call-request.ts';
import { sleep } from '#client/deadline.ts';
import { backoffMs } from '#client/decide.ts';
import { StoppedError } from '#client/errors.ts';
import type { ExportJob } from '#client/export-job.ts';
import { errorOf } from '#client/failure.ts';
import { isFinished, jobPath, referenceOf } from '#client/jobs.ts';
import { isTemporary, isThrottled, timingOf } from '#client/outcome.ts';
import { acceptJob } from '#client/shape.ts';
import { HEADERS } from '#contract/headers.ts';
import { WAIT_SECONDS_MAX } from '#contract/limits.ts';

/** As long as a worker may take for one go, milliseconds. */
export const WAIT_TIMEOUT_MS_DEFAULT = 15 * 60_000;
/** For an answer to a long poll to travel, seconds. */
const POLL_MARGIN_S = 5;
/** Between polls when the service asks for nothing, milliseconds. */
const PAUSE_MS_DEFAULT = 1_000;

export interface WaitForJobOptions extends CallOptions {
  /**
   * Milliseconds.
   * @default 900000
   */
  readonly timeoutMs?: number;
  /**
   * Longest time of one poll. Milliseconds. Below 6000 the service is not asked to hold an answer back.
   * @default what the client was given, else 25000
   */
  readonly attemptTimeoutMs?: number;
  /** Hears of the job as it was first seen and after each change. */
  readonly onProgress?: (job: ExportJob) => void;
}

interface Poll {
  /** Absent: unchanged. */
  readonly job?: ExportJob;
  readonly etag?: string;
  readonly pauseMs: number;
}

export async function waitForJob(
  jobId: string,
  options: WaitForJobOptions,
  context: CallContext,
): Promise<ExportJob> {
  const { world } = context;
  const path = jobPath(jobId);
  const budget = context.budgetOf(new URL(context.baseUrl).origin);
  const span = openCallSpan(options, world, {
    timeoutMs: WAIT_TIMEOUT_MS_DEFAULT,
    facts: { outcome: 'unknown' },
  });
  let seen: ExportJob | undefined;
  let etag: string | undefined;
  let failures = 0;
  try {
    for (;;) {
      const end = await call(pollRequest({ path, etag }, span, context), { span }, context);
      let pauseMs: number;
      if (end.kind === 'success') {
        failures = 0;
        etag = end.value.etag ?? etag;
        pauseMs = end.value.pauseMs;
        if (end.value.job) {
          seen = end.value.job;
          tell(seen, options, end.attempts);
          if (isFinished(seen)) return seen;
        }
      } else {
        if (end.why === 'no-time') throw tooLate(seen, end);
        if (end.last === undefined || !isTemporary(end.last)) throw waitError(end, seen, context);
        failures += 1;
        const backoff = backoffMs(failures, isThrottled(end.last), world.random());
        pauseMs = (timingOf(end.last).retryAfterMs ?? 0) + backoff;
        // In an outage a waiting caller asks no more often than it does in good times.
        if (!budget.take()) pauseMs += (WAIT_SECONDS_MAX * 1000 * (1 + world.random())) / 2;
      }
      if (pauseMs >= span.remainingMs()) throw tooLate(seen, end);
      await sleep(world, pauseMs, span.signal).catch(() => {
        throw waitError(
          { kind: 'failed', why: 'aborted', attempts: end.attempts, cause: span.signal.reason },
          seen,
          context,
        );
      });
    }
  } finally {
    span.close();
  }
}

function pollRequest(
  { path, etag }: { readonly path: string; readonly etag: string | undefined },
  span: CallSpan,
  context: CallContext,
): CallRequest<Poll> {
  const attemptMs = span.attemptTimeoutMs ?? context.attemptTimeoutMs ?? Number.POSITIVE_INFINITY;
  const waitS = Math.min(
    WAIT_SECONDS_MAX,
    Math.floor(span.remainingMs() / 1000) - 1,
    Math.floor(attemptMs / 1000) - POLL_MARGIN_S,
  );
  return {
    method: 'GET',
    path,
    headers: {
      ...(waitS >= 1 && { [HEADERS.prefer]: `wait=${waitS}` }),
      ...(etag !== undefined && { [HEADERS.ifNoneMatch]: etag }),
    },
    effect: 'read',
    attemptsMax: 1,
    attemptTimeoutMs: (Math.max(0, waitS) + POLL_MARGIN_S) * 1000,
    accept({ status, headers, json, retryAfterMs }) {
      const job = status === 200 ? acceptJob(json) : undefined;
      if (job === undefined && !(status === 304 && etag !== undefined)) return undefined;
      const newEtag = headers.get(HEADERS.etag);
      return {
        ...(job && { job }),
        ...(newEtag !== null && { etag: newEtag }),
        pauseMs: retryAfterMs ?? PAUSE_MS_DEFAULT,
      };
    },
  };
}

function tell(
  job: ExportJob,
  { onProgress }: WaitForJobOptions,
  attempts: readonly AttemptReport[],
): void {
  try {
    onProgress?.(job);
  } catch (cause) {
    const facts = { outcome: 'executed', attempts, job: referenceOf(job), cause } as const;
    throw new StoppedError('callback-failed', 'A callback of the call failed.', facts);
  }
}

/** A job that was seen was created: whoever reads `outcome` must not make a second one. */
function waitError(end: FailedCall, seen: ExportJob | undefined, context: CallContext): Error {
  return errorOf(end, {
    effect: 'read',
    nowMs: nowThereMs(context),
    ...(seen && { settled: { outcome: 'executed', job: referenceOf(seen) } }),
  });
}

function tooLate(seen: ExportJob | undefined, { attempts }: Pick<FailedCall, 'attempts'>): Error {
  return new StoppedError('deadline-passed', 'The job has not finished before the deadline.', {
    outcome: seen ? 'executed' : 'unknown',
    attempts,
    ...(seen && { job: referenceOf(seen) }),
  });
}
