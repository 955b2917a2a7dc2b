// Lambda entry: GET /openapi.json, /docs, /docs/{asset}, /problems/{code}.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { readDocsRoute } from '#http/routes/read-docs.ts';

export const handler = edge(readDocsRoute(), wire().edge);
