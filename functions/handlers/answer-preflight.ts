// Lambda entry: OPTIONS, for browsers, without a token.
import { config, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { answerPreflightRoute } from '#http/routes/answer-preflight.ts';

export const handler = edge(answerPreflightRoute(config.ALLOWED_ORIGINS), edgeWiring);
