// What a create writes beside its key record and its claim: the job, and its request where that is large.

import type { ExportJobCommitPort, ExportJobEffect } from '#export-jobs/create-port.ts';
import { type CommitPlan, claimsIn, createCommitStore } from '#store/commit-store.ts';
import type { Dynamo } from '#store/dynamo.ts';
import { putNew } from '#store/dynamo-input.ts';
import { recordsIn } from '#store/idempotency-store.ts';
import { type DueTimes, jobsIn, newJobItems, type RequestLife } from '#store/job-item.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

export function createExportJobCommitStore(
  dynamo: Dynamo,
  tables: TableNames,
  due: DueTimes & RequestLife,
): ExportJobCommitPort {
  return createCommitStore(dynamo, createPlan(tables, due));
}

export function createPlan(
  tables: TableNames,
  due: DueTimes & RequestLife,
): CommitPlan<ExportJobEffect> {
  const jobs = jobsIn(tables.exportJobs);
  const key = TABLES.exportJobs.range;
  return {
    records: recordsIn(tables.idempotencyKeys),
    claims: claimsIn(tables.businessKeys),
    actionsOf: ({ job }) => {
      const { job: jobItem, request } = newJobItems(job, due);
      const items = request ? [jobItem, request] : [jobItem];
      return items.map((item) => putNew(jobs, { item, key }, 'NONE'));
    },
    claimKeyOf: ({ claimKey }) => claimKey,
  };
}
