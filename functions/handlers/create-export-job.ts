// Lambda entry: POST /v1/export-jobs.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';

const { commits, edge: parts } = wire();
export const handler = edge(createExportJobRoute(commits, parts), parts);
