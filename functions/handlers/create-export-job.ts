// Lambda entry: POST /v1/export-jobs.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';
import { serve } from '#http/serve.ts';
import { createExportJobCommitStore } from '#store/export-job-commit-store.ts';

const base = wireEdge();
const { dynamo, tables, due } = wireTables(base);
const commits = createExportJobCommitStore(dynamo, tables, due);
export const handler = serve(base.edge, createExportJobRoute(commits, base.edge));
