// Lambda entry: GET /v1/operations/{key}.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { lookUpOperationRoute } from '#http/routes/look-up-operation.ts';
import { serve } from '#http/serve.ts';
import { createIdempotencyStore } from '#store/idempotency-store.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
const records = createIdempotencyStore(dynamo, tables.idempotencyKeys);
export const handler = serve(base.edge, lookUpOperationRoute(records, base.edge));
