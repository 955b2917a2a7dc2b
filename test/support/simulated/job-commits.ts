// Commits whose effect is an export job, on the simulated store.

import type { ExportJobCommitPort } from '#export-jobs/create-port.ts';
import type { NewJob } from '#export-jobs/job.ts';
import { simulatedCommits } from '#test/support/simulated/commits.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import { jobKey } from '#test/support/simulated/tables.ts';

export function simulatedJobCommits(store: SimulatedStore): ExportJobCommitPort {
  return simulatedCommits(store, {
    make: ({ job }) => putJob(job, store),
    claimKeyOf: ({ claimKey }) => claimKey,
  });
}

function putJob({ articleIds, ...job }: NewJob, { tables, due }: SimulatedStore): void {
  tables.jobs.set(jobKey(job), { job, articleIds, dueAtMs: job.createdAtMs + due.queuedAfterMs });
}
