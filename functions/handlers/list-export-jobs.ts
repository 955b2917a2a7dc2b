// Lambda entry: GET /v1/export-jobs.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { listExportJobsRoute } from '#http/routes/list-export-jobs.ts';

const { jobs, edge: parts } = wire();
export const handler = edge(listExportJobsRoute(jobs, parts), parts);
