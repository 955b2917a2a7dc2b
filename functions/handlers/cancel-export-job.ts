// Lambda entry: POST /v1/export-jobs/{jobId}/cancel.
import { config, edgeWiring, jobs, leases } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { cancelExportJobRoute } from '#http/routes/cancel-export-job.ts';

const route = cancelExportJobRoute({ jobs, leases }, edgeWiring, config.JOB_RETENTION.ms);
export const handler = edge(route, edgeWiring);
