// Lambda entry: GET /v1/export-jobs/{jobId}, long polls included.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { getExportJobRoute } from '#http/routes/get-export-job.ts';
import { serve } from '#http/serve.ts';
import { createJobReadStore } from '#store/job-read-store.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
const jobs = createJobReadStore(dynamo, tables);
export const handler = serve(base.edge, getExportJobRoute(jobs, base.edge));
