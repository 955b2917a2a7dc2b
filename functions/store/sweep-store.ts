// The sparse index of unfinished work: a few shards, sorted by when somebody should look.

import * as z from 'zod';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { mapFound } from '#idempotency/commit-port.ts';
import { queryDue } from '#store/due-index.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { view } from '#store/dynamo-input.ts';
import { fromItem } from '#store/item.ts';
import { jobsIn, SWEEP_SHARDS } from '#store/job-item.ts';
import { epochMsSchema } from '#store/record-item.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

const dueSchema = z.object({ owner: z.string(), jobId: z.string(), dueAtMs: epochMsSchema });

export function createSweepStore(dynamo: Dynamo, { exportJobs }: TableNames): SweepPort {
  const dueJobs = {
    view: view(exportJobs, TABLES.exportJobs, (item) => fromItem(item, dueSchema, 'a due job')),
    index: 'UnfinishedJobs',
    shardAttribute: 'sweepShard',
    shards: SWEEP_SHARDS,
  };
  const jobs = jobsIn(exportJobs);
  return {
    async listDueJobs(query, options) {
      return mapFound(await queryDue(dynamo, dueJobs, { ...query, ...options }), (found) =>
        found.toSorted((a, b) => a.dueAtMs - b.dueAtMs).slice(0, query.limit),
      );
    },

    async putOff({ owner, jobId, dueAtMs }, untilMs, { timeoutMs }) {
      // Best effort by design: whatever comes back, the next sweep looks again.
      await dynamo.update(
        jobs,
        {
          key: { owner, jobId },
          update: 'SET dueAtMs = :until',
          condition: 'attribute_exists(jobId) AND dueAtMs = :seen',
          values: { ':until': untilMs, ':seen': dueAtMs },
        },
        { timeoutMs, maySend: () => true },
      );
    },
  };
}
