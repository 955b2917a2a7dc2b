// Lambda entry: the schedule.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { handOverOf } from '#handlers/hand-over-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { realWorld } from '#handlers/world.ts';
import { createSweepStore } from '#store/sweep-store.ts';
import { sweepJobsHandler } from '#worker/sweep-jobs.ts';

const base = wireEdge();
const { config } = base;
const { dynamo, tables } = wireTables(base);
export const handler = sweepJobsHandler(
  { sweep: createSweepStore(dynamo, tables), handOver: handOverOf(base) },
  {
    nowMs: realWorld.nowMs,
    jobsMax: config.SWEEP_JOBS_MAX,
    putOffMs: config.SWEEP_PUT_OFF_MS,
    storeTimeoutMs: config.STORE_TRY_TIMEOUT_MS,
  },
  base,
);
