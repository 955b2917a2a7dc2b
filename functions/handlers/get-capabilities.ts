// Lambda entry: GET /v1/capabilities.
import { config, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { getCapabilitiesRoute } from '#http/routes/get-capabilities.ts';

export const handler = edge(
  getCapabilitiesRoute(edgeWiring, config.JOB_RETENTION.text),
  edgeWiring,
);
