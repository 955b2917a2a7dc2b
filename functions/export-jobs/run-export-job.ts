// One go at a job: claim, render, store the file, finish. May run twice; publishes once.
// Every write carries the fence; a run that lost its lease stops before its next side effect.
// Must never: publish a file that another run wrote, or leave its lease behind when it fails.

import { articlesOf, JobFailed } from '#export-jobs/export-articles.ts';
import { exportFileName } from '#export-jobs/export-file-name.ts';
import { finishJob } from '#export-jobs/finish-job.ts';
import { fileKeyOf, type Job, type JobName } from '#export-jobs/job.ts';
import type { HeldJob, JobEnd } from '#export-jobs/job-lease-port.ts';
import { type Heartbeat, startHeartbeat, WorkStopped } from '#export-jobs/lease-heartbeat.ts';
import type { RunOptions, RunPorts, SpooledFile } from '#export-jobs/run-port.ts';
import { storeCall } from '#export-jobs/store-call.ts';
import { type EpochMs, plusMs } from '#idempotency/epoch.ts';
import { contentTypeOf, fileExtensionOf } from '#rendering/file-kind.ts';
import { ArticleUnrenderableError, renderExport } from '#rendering/render-export.ts';

export type RunOutcome =
  | {
      readonly kind: 'finished';
      readonly status: JobEnd['status'];
      readonly run: number;
      /** From create to the first run, and from there to the end. */
      readonly queuedMs: number;
      readonly runningMs: number;
    }
  /** Not ours to run: success for the delivery. */
  | { readonly kind: 'skipped'; readonly why: 'held' | 'finished' | 'absent' }
  | { readonly kind: 'stale'; readonly run: number };

/** A run that failed does not wait long for a store to take its lease back, milliseconds. */
const GIVE_BACK_MS = 3_000;

/** One run: the job as it is held, and what the run works with. */
type Go = HeldJob & { readonly ports: RunPorts; readonly options: RunOptions };

/** @throws when the run failed for a passing reason: the lease is given back, the platform tries again */
export async function runExportJob(
  name: JobName,
  ports: RunPorts,
  options: RunOptions,
): Promise<RunOutcome> {
  const { leaseMs, runsMax } = options;
  const leaseId = options.newLeaseId();
  const nowMs = options.tries.clock.nowMs();
  const lease = { leaseId, nowMs, leaseUntilMs: plusMs(nowMs, leaseMs), runsMax };
  const claim = await storeCall(options).write((o) => ports.leases.claimLease(name, lease, o));
  if (claim.kind === 'unsettled') throw new Error('the job could not be claimed in time');
  switch (claim.value.kind) {
    case 'held':
    case 'finished':
    case 'absent':
      return { kind: 'skipped', why: claim.value.kind };
    case 'runs-exhausted':
      return finishExhausted(claim.value.job, ports, options);
    case 'claimed': {
      const { job } = claim.value;
      return runClaimed({ job, fence: { run: job.run, leaseId }, ports, options });
    }
  }
}

async function runClaimed(go: Go): Promise<RunOutcome> {
  if (go.job.cancelRequested) return finish(go, { status: 'cancelled' });
  const heartbeat = startHeartbeat(go, go.ports.leases, go.options);
  let end: JobEnd;
  try {
    end = await produce(go, heartbeat);
  } catch (error) {
    await heartbeat.stop();
    const ended = endOf(error);
    if (ended === 'stale') return { kind: 'stale', run: go.fence.run };
    if (!ended) {
      await giveBack(go);
      throw error;
    }
    end = ended;
  }
  await heartbeat.stop();
  return finish(go, end);
}

/** Renders and stores the file. Its key is this run's own, so that storing it publishes nothing. */
async function produce(go: Go, heartbeat: Heartbeat): Promise<JobEnd> {
  const { job, fence, ports, options } = go;
  const ids = await storeCall(options).read((o) => ports.jobs.readArticleIds(job, o));
  if (ids.kind !== 'found') throw new Error('the article IDs of the job could not be read');
  const renderer = ports.openRenderer();
  let spooled: SpooledFile | undefined;
  try {
    const { format, language, articleCount, createdAtMs, title } = job;
    const request = { format, language, articleCount, createdAtMs, ...(title && { title }) };
    const articles = articlesOf({ job, articleIds: ids.value }, ports.articles, options);
    spooled = await ports.spool(
      renderExport(request, articles, {
        renderArticle: renderer.renderArticle,
        onArticleDone: heartbeat.progress,
        signal: heartbeat.signal,
      }),
    );
    heartbeat.assertHeld();
    const { path, bytes, sha256 } = spooled;
    const extension = fileExtensionOf(format);
    await ports.files.putFile(
      {
        key: fileKeyOf(job, fence, extension),
        path,
        bytes,
        contentType: contentTypeOf(format),
        disposition: exportFileName(title, extension),
      },
      heartbeat.signal,
    );
    heartbeat.assertHeld();
    return { status: 'succeeded', file: { bytes, sha256 } };
  } finally {
    await renderer.close();
    await spooled?.remove();
  }
}

/** Which end an error stands for; undefined for a failure that may pass. */
function endOf(error: unknown): JobEnd | 'stale' | undefined {
  if (error instanceof JobFailed) return { status: 'failed', error: error.error };
  if (error instanceof ArticleUnrenderableError) {
    const detail = `article ${error.articleId.slice(0, 64)} is beyond the limits of rendering`;
    return { status: 'failed', error: { code: 'article-unrenderable', detail } };
  }
  if (error instanceof WorkStopped) {
    if (error.reason === 'cancel-requested') return { status: 'cancelled' };
    if (error.reason === 'stale') return 'stale';
  }
  return undefined;
}

async function finish(go: Go, end: JobEnd): Promise<RunOutcome> {
  const { job, fence, ports, options } = go;
  const finishedAtMs = options.tries.clock.nowMs();
  const { jobRetentionMs } = options;
  const result = await finishJob(
    { job, held: { by: 'fence', fence }, end, finishedAtMs, jobRetentionMs },
    ports.leases,
    storeCall(options),
  );
  switch (result.kind) {
    case 'ok':
      return finished(job, end, finishedAtMs);
    case 'cancel-requested':
      return finish(go, { status: 'cancelled' });
    case 'stale':
      return { kind: 'stale', run: fence.run };
    case 'unsettled':
      await giveBack(go);
      throw new Error('the end of the job could not be written in time');
  }
}

/** The lease is over and no run is left: the job ends, under the fence of its last run. */
async function finishExhausted(
  job: Job,
  ports: RunPorts,
  options: RunOptions,
): Promise<RunOutcome> {
  const nowMs = options.tries.clock.nowMs();
  const fence = { run: job.run, leaseId: job.leaseId ?? '' };
  const end: JobEnd = job.cancelRequested
    ? { status: 'cancelled' }
    : {
        status: 'failed',
        error: { code: 'runs-exhausted', detail: `the job did not finish in ${job.run} runs` },
      };
  const result = await finishJob(
    {
      job,
      held: { by: 'lapsed-lease', fence, nowMs },
      end,
      finishedAtMs: nowMs,
      jobRetentionMs: options.jobRetentionMs,
    },
    ports.leases,
    storeCall(options),
  );
  if (result.kind === 'ok') return finished(job, end, nowMs);
  if (result.kind === 'unsettled') throw new Error('the end of the job could not be written');
  return { kind: 'stale', run: job.run };
}

function finished(job: Job, end: JobEnd, finishedAtMs: EpochMs): RunOutcome {
  const startedAtMs = job.startedAtMs ?? finishedAtMs;
  return {
    kind: 'finished',
    status: end.status,
    run: job.run,
    queuedMs: startedAtMs - job.createdAtMs,
    runningMs: finishedAtMs - startedAtMs,
  };
}

/** Best effort: a lease that cannot be given back runs out by itself. */
async function giveBack(go: Go): Promise<void> {
  const { ports, options } = go;
  const nowMs = options.tries.clock.nowMs();
  await storeCall(options, GIVE_BACK_MS).write((o) => ports.leases.releaseLease(go, nowMs, o));
}
