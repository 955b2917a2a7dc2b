// Lambda entry: GET /openapi.json, /docs, /problems/{code}.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { answerUnknownRoute } from '#http/routes/answer-unknown-route.ts';

export const handler = edge(answerUnknownRoute, wire().edge);
