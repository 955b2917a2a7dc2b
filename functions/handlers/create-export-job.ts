// Lambda entry: POST /v1/export-jobs.
import { commits, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';

export const handler = edge(createExportJobRoute(commits, edgeWiring), edgeWiring);
