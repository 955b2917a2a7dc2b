// What only the worker's functions need: files, the renderer's thread, the hand-over, the sweep.

import { LambdaClient } from '@aws-sdk/client-lambda';
import type { RunSettings } from '#export-jobs/run-port.ts';
import { fileStoreOf } from '#handlers/file-wiring.ts';
import type { Wiring } from '#handlers/wiring.ts';
import { realWorld, sleepUntilAborted } from '#handlers/world.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { createRenderPool } from '#rendering/render-pool.ts';
import { createRenderThread } from '#rendering/render-thread.ts';
import { createBacklogStore } from '#store/backlog-store.ts';
import { createJobHandOver } from '#store/job-hand-over.ts';
import { spoolFile } from '#store/spool-file.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import { handOverJobsHandler } from '#worker/hand-over-jobs.ts';
import { measureBacklogHandler } from '#worker/measure-backlog.ts';
import { runJobHandler } from '#worker/run-job.ts';
import { sweepJobsHandler } from '#worker/sweep-jobs.ts';

/** An instance on Lambda runs one job at a time; the one process on one machine a few. */
const IDLE_THREADS_MAX = 4;

/** The answer to an asynchronous invocation comes at once, or the hand-over is tried again. */
const INVOKE_TIMES = {
  connectionTimeout: 2_000,
  requestTimeout: 5_000,
  throwOnRequestTimeout: true,
};

const handOverOf = ({ config }: Wiring) =>
  createJobHandOver(
    new LambdaClient({ maxAttempts: 3, requestHandler: INVOKE_TIMES }),
    config.RUN_JOB_FUNCTION,
  );

/** @param renderThreadUrl the module of the renderer's thread, beside that of run-job */
export function wireRunJob(wiring: Wiring, renderThreadUrl: URL) {
  const { config, tries, retries, leases, jobs, articles } = wiring;
  const settings: RunSettings = {
    tries: {
      clock: { nowMs: () => epochMs(realWorld.nowMs()), monotonicMs: realWorld.monotonicMs },
      policy: tries,
      retries,
      random: realWorld.random,
      newToken: realWorld.newToken,
      sleepMs: realWorld.sleepMs,
    },
    newLeaseId: realWorld.newToken,
    sleepMs: sleepUntilAborted,
    leaseMs: config.LEASE_MS,
    heartbeatMs: config.HEARTBEAT_MS,
    runsMax: config.RUNS_MAX,
    jobMarkdownBytesMax: config.JOB_MARKDOWN_BYTES_MAX,
    jobRetentionMs: config.JOB_RETENTION.ms,
  };
  const startThread = () =>
    createRenderThread({
      timeoutMs: config.ARTICLE_RENDER_TIMEOUT_MS,
      heapMb: config.ARTICLE_RENDER_HEAP_MB,
      entryUrl: renderThreadUrl,
    });
  const openRenderer = createRenderPool(startThread, IDLE_THREADS_MAX);
  const files = fileStoreOf(wiring);
  const ports = { leases, jobs, articles, files, spool: spoolFile, openRenderer };
  return runJobHandler(ports, settings, wiring);
}

export function wireHandOverJobs(wiring: Wiring) {
  return handOverJobsHandler(handOverOf(wiring), wiring.log);
}

export function wireSweepJobs(wiring: Wiring) {
  const { config, dynamo, tables } = wiring;
  return sweepJobsHandler(
    createSweepStore(dynamo, tables),
    handOverOf(wiring),
    {
      nowMs: realWorld.nowMs,
      jobsMax: config.SWEEP_JOBS_MAX,
      putOffMs: config.SWEEP_PUT_OFF_MS,
      storeTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
    },
    wiring,
  );
}

export function wireMeasureBacklog(wiring: Wiring) {
  const { config, dynamo, tables } = wiring;
  return measureBacklogHandler(
    createBacklogStore(dynamo, tables),
    {
      nowMs: realWorld.nowMs,
      random: realWorld.random,
      storeTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
    },
    wiring,
  );
}
