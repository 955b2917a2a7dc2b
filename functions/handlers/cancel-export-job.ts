// Lambda entry: POST /v1/export-jobs/{jobId}/cancel.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { cancelExportJobRoute } from '#http/routes/cancel-export-job.ts';
import { serve } from '#http/serve.ts';
import { createJobLeaseStore } from '#store/job-lease-store.ts';
import { createJobReadStore } from '#store/job-read-store.ts';

const base = wireEdge();
const { dynamo, tables, due } = wireTables(base);
const ports = {
  jobs: createJobReadStore(dynamo, tables),
  leases: createJobLeaseStore(dynamo, tables, due),
};
const { JOB_RETENTION } = base.config;
export const handler = serve(base.edge, cancelExportJobRoute(ports, base.edge, JOB_RETENTION.ms));
