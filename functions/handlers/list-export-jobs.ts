// Lambda entry: GET /v1/export-jobs.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { listExportJobsRoute } from '#http/routes/list-export-jobs.ts';
import { serve } from '#http/serve.ts';
import { createJobReadStore } from '#store/job-read-store.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
const jobs = createJobReadStore(dynamo, tables);
export const handler = serve(base.edge, listExportJobsRoute(jobs, base.edge));
