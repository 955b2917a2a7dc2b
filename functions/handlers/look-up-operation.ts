// Lambda entry: GET /v1/operations/{key}.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { lookUpOperationRoute } from '#http/routes/look-up-operation.ts';

const { records, edge: parts } = wire();
export const handler = edge(lookUpOperationRoute(records, parts), parts);
