// Lambda entry: POST /v1/operations/{key}/abandon.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { abandonOperationRoute } from '#http/routes/abandon-operation.ts';

const { records, edge: parts } = wire();
export const handler = edge(abandonOperationRoute(records, parts), parts);
