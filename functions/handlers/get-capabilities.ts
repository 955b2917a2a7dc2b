// Lambda entry: GET and HEAD /v1/capabilities.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { getCapabilitiesRoute } from '#http/routes/get-capabilities.ts';
import { serve } from '#http/serve.ts';

const { config, edge } = wireEdge();
export const handler = serve(edge, getCapabilitiesRoute(edge, config.JOB_RETENTION));
