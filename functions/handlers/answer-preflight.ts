// Lambda entry: OPTIONS, for browsers, without a token.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { answerPreflightRoute } from '#http/routes/answer-preflight.ts';

const { config, edge: parts } = wire();
export const handler = edge(answerPreflightRoute(config.ALLOWED_ORIGINS), parts);
