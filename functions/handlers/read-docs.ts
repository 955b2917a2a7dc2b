// Lambda entry: GET and HEAD /openapi.json, /docs, /docs/{asset}, /problems/{code}.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { docsRoutes } from '#http/routes/read-docs.ts';
import { serve } from '#http/serve.ts';

const { edge } = wireEdge();
export const handler = serve(edge, ...docsRoutes(edge));
