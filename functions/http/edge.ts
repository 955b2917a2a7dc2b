// The one pipeline of every HTTP function: read the event, let the route answer, and make one answer of
// whatever came of it. A route's bug becomes the catalogue's words, never a stack.

import middy from '@middy/core';
import type { HttpAnswer } from '#http/answer.ts';
import type { Edge, HttpHandler, Route } from '#http/edge-parts.ts';
import { answerProblems } from '#http/middleware/answer-problems.ts';
import { completeAnswers } from '#http/middleware/complete-answers.ts';
import { logRequests } from '#http/middleware/log-requests.ts';
import { readRequests } from '#http/middleware/read-requests.ts';
import { refuseOtherPayloads } from '#http/middleware/refuse-other-payloads.ts';
import { sayWhenToReturn } from '#http/middleware/say-when-to-return.ts';
import type { HttpRequest } from '#http/request.ts';
import { wireAnswer } from '#http/wire-answer.ts';

/** A Lambda handler for API Gateway's payload format 2.0. Always resolves. */
export function edge(route: Route, parts: Edge): HttpHandler {
  const { config, world, log, signals } = parts;
  // Middy's own early answer would leave the route's work under way: budgets end it instead.
  const pipeline = middy<HttpRequest, HttpAnswer>({ timeoutEarlyInMillis: 0 })
    // An answer passes these from the last to the first.
    .use(readRequests())
    .use(logRequests(log, world, signals.publish))
    .use(completeAnswers(config.allowedOrigins))
    .use(sayWhenToReturn(world.random))
    .use(answerProblems(route, parts))
    .use(refuseOtherPayloads())
    .handler(async (request) => route.answer(request));
  return async (event, context) => wireAnswer(await pipeline(event as HttpRequest, context));
}
