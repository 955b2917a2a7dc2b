// Lambda entry: POST /v1/export-jobs/{jobId}/cancel.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { cancelExportJobRoute } from '#http/routes/cancel-export-job.ts';

const { config, jobs, leases, edge: parts } = wire();
export const handler = edge(
  cancelExportJobRoute({ jobs, leases }, parts, config.JOB_RETENTION.ms),
  parts,
);
