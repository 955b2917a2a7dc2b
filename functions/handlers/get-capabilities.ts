// Lambda entry: GET /v1/capabilities.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { getCapabilitiesRoute } from '#http/routes/get-capabilities.ts';

const { config, edge: parts } = wire();
export const handler = edge(getCapabilitiesRoute(parts, config.JOB_RETENTION), parts);
