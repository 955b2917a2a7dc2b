// Lambda entry: GET /v1/export-jobs.
import { edgeWiring, jobs } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { listExportJobsRoute } from '#http/routes/list-export-jobs.ts';

export const handler = edge(listExportJobsRoute(jobs, edgeWiring), edgeWiring);
