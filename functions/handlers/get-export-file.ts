// Lambda entry: GET /v1/export-jobs/{jobId}/file.
import { fileStoreOf } from '#handlers/file-wiring.ts';
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { getExportFileRoute } from '#http/routes/get-export-file.ts';

const wiring = wire();
const { config, jobs, edge: parts } = wiring;
const ports = { jobs, files: fileStoreOf(wiring) };
export const handler = edge(getExportFileRoute(ports, parts, config.DOWNLOAD_URL_SECONDS), parts);
