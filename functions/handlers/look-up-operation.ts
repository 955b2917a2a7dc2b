// Lambda entry: GET /v1/operations/{key}.
import { edgeWiring, records } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { lookUpOperationRoute } from '#http/routes/look-up-operation.ts';

export const handler = edge(lookUpOperationRoute(records, edgeWiring), edgeWiring);
