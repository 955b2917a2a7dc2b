// Lambda entry: GET /v1/export-jobs/{jobId}/file.
import { config, edgeWiring, fileStore, jobs } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { getExportFileRoute } from '#http/routes/get-export-file.ts';

const route = getExportFileRoute(
  { jobs, files: fileStore() },
  edgeWiring,
  config.DOWNLOAD_URL_SECONDS,
);
export const handler = edge(route, edgeWiring);
