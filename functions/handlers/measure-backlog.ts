// Lambda entry: the schedule of looks at what waits.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { realWorld } from '#handlers/world.ts';
import { createBacklogStore } from '#store/backlog-store.ts';
import { measureBacklogHandler } from '#worker/measure-backlog.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
export const handler = measureBacklogHandler(
  createBacklogStore(dynamo, tables),
  {
    nowMs: realWorld.nowMs,
    random: realWorld.random,
    storeTimeoutMs: base.config.STORE_TRY_TIMEOUT_MS,
  },
  base,
);
