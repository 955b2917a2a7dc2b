// Lambda entry: $default, that is unknown paths and other methods.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { answerUnknownRoute } from '#http/routes/answer-unknown-route.ts';
import { serve } from '#http/serve.ts';

const { edge } = wireEdge();
export const handler = serve(edge, answerUnknownRoute(edge));
