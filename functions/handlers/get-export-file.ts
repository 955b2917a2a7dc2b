// Lambda entry: GET /v1/export-jobs/{jobId}/file.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { fileStoreOf } from '#handlers/file-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { getExportFileRoute } from '#http/routes/get-export-file.ts';
import { serve } from '#http/serve.ts';
import { createJobReadStore } from '#store/job-read-store.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
const ports = { jobs: createJobReadStore(dynamo, tables), files: fileStoreOf(base) };
const { DOWNLOAD_URL_SECONDS } = base.config;
export const handler = serve(base.edge, getExportFileRoute(ports, base.edge, DOWNLOAD_URL_SECONDS));
