// Lambda entry: POST /v1/operations/{key}/abandon.
import { edgeWiring, records } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { abandonOperationRoute } from '#http/routes/abandon-operation.ts';

export const handler = edge(abandonOperationRoute(records, edgeWiring), edgeWiring);
