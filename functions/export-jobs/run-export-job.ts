// One go at a job: claim, render, store the file, finish. May run twice; publishes once.
// Every write carries the fence; a run that lost its lease stops before its next side effect.
// Must never: publish a file that another run wrote, or leave its lease behind when it fails.

import { articlesOf, JobFailed } from '#export-jobs/export-articles.ts';
import { exportFileName } from '#export-jobs/export-file-name.ts';
import { finishJob } from '#export-jobs/finish-job.ts';
import { type Fence, fileKeyOf, type Job } from '#export-jobs/job.ts';
import type { JobEnd } from '#export-jobs/job-lease-port.ts';
import { type Heartbeat, startHeartbeat, WorkStopped } from '#export-jobs/lease-heartbeat.ts';
import type { RunEnvironment, RunPorts, SpooledFile } from '#export-jobs/run-port.ts';
import { storeBudget } from '#export-jobs/store-budget.ts';
import type { JobName } from '#export-jobs/sweep-port.ts';
import { type EpochMs, plusMs } from '#idempotency/epoch.ts';
import { readWithin } from '#idempotency/read-within.ts';
import { sendUntilSettled } from '#idempotency/store-tries.ts';
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

/** @throws when the run failed for a passing reason: the lease is given back, the platform tries again */
export async function runExportJob(
  { owner, jobId }: JobName,
  ports: RunPorts,
  env: RunEnvironment,
): Promise<RunOutcome> {
  const leaseId = env.newLeaseId();
  const nowMs = env.clock.nowMs();
  const lease = {
    leaseId,
    nowMs,
    leaseUntilMs: plusMs(nowMs, env.leaseMs),
    runsMax: env.runsMax,
  };
  const claim = await sendUntilSettled(
    (options) => ports.leases.claimLease(owner, jobId, lease, options),
    () => false,
    { ...env, budget: storeBudget(env) },
  );
  if (claim.kind === 'unsettled') throw new Error('the job could not be claimed in time');
  switch (claim.value.kind) {
    case 'held':
    case 'finished':
    case 'absent':
      return { kind: 'skipped', why: claim.value.kind };
    case 'runs-exhausted':
      return finishExhausted(claim.value.job, ports, env);
    case 'claimed': {
      const { job } = claim.value;
      return runClaimed(job, { run: job.run, leaseId }, ports, env);
    }
  }
}

async function runClaimed(
  job: Job,
  fence: Fence,
  ports: RunPorts,
  env: RunEnvironment,
): Promise<RunOutcome> {
  if (job.cancelRequested) return finish(job, fence, { status: 'cancelled' }, ports, env);
  const heartbeat = startHeartbeat(job, fence, ports.leases, env);
  let end: JobEnd;
  try {
    end = await produce(job, fence, heartbeat, ports, env);
  } catch (error) {
    await heartbeat.stop();
    const ended = endOf(error);
    if (ended === 'stale') return { kind: 'stale', run: fence.run };
    if (!ended) {
      await giveBack(job, fence, ports, env);
      throw error;
    }
    end = ended;
  }
  await heartbeat.stop();
  return finish(job, fence, end, ports, env);
}

/** Renders and stores the file. Its key is this run's own, so that storing it publishes nothing. */
async function produce(
  job: Job,
  fence: Fence,
  heartbeat: Heartbeat,
  ports: RunPorts,
  env: RunEnvironment,
): Promise<JobEnd> {
  const ids = await readWithin({ ...env, budget: storeBudget(env) }, (options) =>
    ports.jobs.readArticleIds(job, options),
  );
  if (ids.kind !== 'found') throw new Error('the article IDs of the job could not be read');
  const renderer = ports.openRenderer();
  let spooled: SpooledFile | undefined;
  try {
    const { format, language, articleCount, createdAtMs, title } = job;
    const request = { format, language, articleCount, createdAtMs, ...(title && { title }) };
    spooled = await ports.spool(
      renderExport(request, articlesOf(job, ids.value, ports.articles, env), {
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

async function finish(
  job: Job,
  fence: Fence,
  end: JobEnd,
  ports: RunPorts,
  env: RunEnvironment,
): Promise<RunOutcome> {
  const finishedAtMs = env.clock.nowMs();
  const { jobRetentionMs } = env;
  const result = await finishJob(
    { job, held: { by: 'fence', fence }, end, finishedAtMs, jobRetentionMs },
    ports.leases,
    { ...env, budget: storeBudget(env) },
  );
  switch (result.kind) {
    case 'ok':
      return finished(job, end, finishedAtMs);
    case 'cancel-requested':
      return finish(job, fence, { status: 'cancelled' }, ports, env);
    case 'stale':
      return { kind: 'stale', run: fence.run };
    case 'unsettled':
      await giveBack(job, fence, ports, env);
      throw new Error('the end of the job could not be written in time');
  }
}

/** The lease is over and no run is left: the job ends, under the fence of its last run. */
async function finishExhausted(
  job: Job,
  ports: RunPorts,
  env: RunEnvironment,
): Promise<RunOutcome> {
  const nowMs = env.clock.nowMs();
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
      jobRetentionMs: env.jobRetentionMs,
    },
    ports.leases,
    { ...env, budget: storeBudget(env) },
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
async function giveBack(job: Job, fence: Fence, ports: RunPorts, env: RunEnvironment) {
  await sendUntilSettled(
    (options) => ports.leases.releaseLease(job, fence, env.clock.nowMs(), options),
    () => false,
    { ...env, budget: storeBudget(env, 3_000) },
  );
}
