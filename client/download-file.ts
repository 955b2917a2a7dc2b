// The finished file, to a stream of the caller's. Promises: the stream is closed only when size and
// SHA-256 are those that the service told; otherwise it is aborted. A transfer that breaks goes on
// where it stopped.

import { ask } from '#client/ask.ts';
import { type CallOptions, type CallSpan, openCallSpan } from '#client/call-options.ts';
import type { CallContext } from '#client/call-request.ts';
import { race, type Span, sleep, TimeIsUp } from '#client/deadline.ts';
import { ATTEMPTS_MAX, backoffMs } from '#client/decide.ts';
import { type ErrorFacts, NoAnswerError, StoppedError } from '#client/errors.ts';
import { fetchPart, type Part, type Sink } from '#client/fetch-part.ts';
import { getJob, jobPath, referenceOf } from '#client/jobs.ts';
import { sha256 } from '#client/sha256.ts';
import { acceptFileUrl } from '#client/shape.ts';

/** Milliseconds. */
export const DOWNLOAD_TIMEOUT_MS_DEFAULT = 5 * 60_000;

export interface DownloadFileOptions extends CallOptions {
  /**
   * Milliseconds.
   * @default 300000
   */
  readonly timeoutMs?: number;
  readonly onProgress?: (bytesDone: number, bytesTotal: number) => void;
}

/** What is known of the job so far. */
type Facts = Pick<ErrorFacts, 'outcome' | 'attempts' | 'job'>;

export interface DownloadedFile {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly contentType: string;
}

export interface Download {
  readonly jobId: string;
  readonly to: WritableStream<Uint8Array>;
}

/** One transfer: whose file, to where, and what is known of the job. */
interface Transfer {
  readonly jobId: string;
  readonly span: CallSpan;
  readonly context: CallContext;
  readonly facts: Facts;
}

export async function downloadFile(
  { jobId, to }: Download,
  options: DownloadFileOptions,
  context: CallContext,
): Promise<DownloadedFile> {
  let facts: Facts = { outcome: 'unknown', attempts: [] };
  const span = openCallSpan(options, context.world, {
    timeoutMs: DOWNLOAD_TIMEOUT_MS_DEFAULT,
    facts,
  });
  const writer = to.getWriter();
  try {
    const job = await getJob(jobId, restOf(span), context);
    // A job that was seen was created, whatever becomes of its file.
    facts = { outcome: 'executed', attempts: [], job: referenceOf(job) };
    // Without a file it is asked for all the same: the service itself says why there is none.
    if (job.file === undefined) await fileUrl({ jobId, span, context, facts });
    if (job.file === undefined) throw damaged('The service told no size of it.', facts);
    const sink = sinkOf(writer, job.file.bytes, options);
    await transfer(sink, { jobId, span, context, facts });
    if (sink.sha256() !== job.file.sha256) throw damaged('Its SHA-256 is another one.', facts);
    await race(writer.close(), span.signal);
    return { bytes: job.file.bytes, sha256: job.file.sha256, contentType: job.file.contentType };
  } catch (error) {
    const told = span.signal.aborted && error === span.signal.reason ? ended(span, facts) : error;
    // The stream may be broken itself; the error that comes of that is not the one to tell.
    writer.abort(told).catch(() => {});
    throw told;
  } finally {
    span.close();
  }
}

/** Parts of the file until it is whole. Each takes a fresh URL: they live for minutes only. */
async function transfer(sink: Sink, going: Transfer): Promise<void> {
  const { span, context, facts } = going;
  const { world, clock } = context;
  const { signal } = span;
  for (let attempt = 1; ; attempt += 1) {
    const url = await fileUrl(going);
    const budget = context.budgetOf(new URL(url).origin);
    const part: Part = await fetchPart(url, sink, { world, clock, signal });
    if (part.kind === 'whole') {
      budget.putBack();
      return;
    }
    if (part.kind === 'too-long') throw damaged('It is longer than was told.', facts);
    if (part.kind === 'sink-failed') {
      const message = 'The stream did not take the file.';
      throw new StoppedError('callback-failed', message, { ...facts, cause: part.cause });
    }
    // A floor, as for every request: what cannot be waited for ends the transfer at once.
    const floorMs = part.retryAfterMs ?? 0;
    const isTooLong = floorMs > span.remainingMs();
    if (!part.temporary || isTooLong || attempt >= ATTEMPTS_MAX || !budget.take()) {
      const pause = isTooLong ? ' A longer pause is asked for than the deadline leaves.' : '';
      const message = `The file cannot be fetched (${part.why}).${pause}`;
      throw new NoAnswerError(message, { ...facts, cause: part.cause });
    }
    const jitterMs = backoffMs(attempt, part.throttled ?? false, world.random());
    await sleep(world, floorMs + jitterMs, signal);
  }
}

async function fileUrl({ jobId, span, context, facts }: Transfer): Promise<string> {
  const { url } = await ask(
    {
      method: 'GET',
      path: `${jobPath(jobId)}/file`,
      headers: { accept: 'application/json' },
      effect: 'read',
      accept: ({ status, json }) => (status === 200 ? acceptFileUrl(json) : undefined),
      known: { settled: facts },
    },
    restOf(span),
    context,
  );
  return url;
}

function sinkOf(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  bytesTotal: number,
  { onProgress }: DownloadFileOptions,
): Sink {
  const hash = sha256();
  let done = 0;
  return {
    bytesTotal,
    bytesDone: () => done,
    async take(bytes) {
      hash.update(bytes);
      done += bytes.byteLength;
      await writer.write(bytes);
      onProgress?.(done, bytesTotal);
    },
    sha256: () => hash.digest(),
  };
}

/** The rest of the deadline, for a call within this one. */
function restOf({ remainingMs, signal, attemptTimeoutMs }: CallSpan): CallOptions {
  return {
    timeoutMs: Math.max(1, remainingMs()),
    signal,
    ...(attemptTimeoutMs !== undefined && { attemptTimeoutMs }),
  };
}

function ended({ signal }: Span, known: Facts): StoppedError {
  const facts = { ...known, cause: signal.reason };
  return signal.reason instanceof TimeIsUp
    ? new StoppedError('deadline-passed', 'The file was not whole before the deadline.', facts)
    : new StoppedError('aborted', 'The call was aborted.', facts);
}

function damaged(what: string, facts: Facts): StoppedError {
  return new StoppedError('file-damaged', `The file is not the one of the job. ${what}`, facts);
}
