// Lambda entry: GET /v1/export-jobs/{jobId}, long polls included.
import { edgeWiring, jobs } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { getExportJobRoute } from '#http/routes/get-export-job.ts';

export const handler = edge(getExportJobRoute(jobs, edgeWiring), edgeWiring);
