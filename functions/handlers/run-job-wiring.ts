// What run-job alone needs: leases, files and the renderer's threads.

import type { RunSettings } from '#export-jobs/run-port.ts';
import { type EdgeWiring, wireEdge } from '#handlers/edge-wiring.ts';
import { fileStoreOf } from '#handlers/file-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { realWorld, sleepUntilAborted } from '#handlers/world.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { createRenderPool } from '#rendering/render-pool.ts';
import { createRenderThread } from '#rendering/render-thread.ts';
import { createArticleStore } from '#store/article-store.ts';
import { createJobLeaseStore } from '#store/job-lease-store.ts';
import { createJobReadStore } from '#store/job-read-store.ts';
import { spoolFile } from '#store/spool-file.ts';
import { runJobHandler } from '#worker/run-job.ts';

/** An instance on Lambda runs one job at a time; the one process on one machine a few. */
const IDLE_THREADS_MAX = 4;

/** @param renderThreadUrl the module of the renderer's thread, beside that of run-job */
export function wireRunJob(renderThreadUrl: URL) {
  const base = wireEdge();
  const { config } = base;
  const { dynamo, tables, due } = wireTables(base);
  const startThread = () =>
    createRenderThread({
      timeoutMs: config.ARTICLE_RENDER_TIMEOUT_MS,
      heapMb: config.ARTICLE_RENDER_HEAP_MB,
      entryUrl: renderThreadUrl,
    });
  const ports = {
    leases: createJobLeaseStore(dynamo, tables, due),
    jobs: createJobReadStore(dynamo, tables),
    articles: createArticleStore(dynamo, tables),
    files: fileStoreOf(base),
    spool: spoolFile,
    openRenderer: createRenderPool(startThread, IDLE_THREADS_MAX),
  };
  return runJobHandler(ports, settingsOf(base), base);
}

function settingsOf({ config, tries, retries }: EdgeWiring): RunSettings {
  return {
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
}
