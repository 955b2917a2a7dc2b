// Lambda entry: GET /v1/export-jobs/{jobId}, long polls included.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { getExportJobRoute } from '#http/routes/get-export-job.ts';

const { jobs, edge: parts } = wire();
export const handler = edge(getExportJobRoute(jobs, parts), parts);
