// The one pipeline of every HTTP function: read the event, let its route answer, and make one answer of
// whatever came of it. A route's bug becomes the catalogue's words, never a stack.

import middy from '@middy/core';
import { routeKeysOf } from '#contract/routes.ts';
import type { HttpAnswer } from '#http/answer.ts';
import type { Edge, HttpHandler, Route } from '#http/edge-parts.ts';
import { answerProblems } from '#http/middleware/answer-problems.ts';
import { completeAnswers } from '#http/middleware/complete-answers.ts';
import { leaveOutBodies } from '#http/middleware/leave-out-bodies.ts';
import { logRequests } from '#http/middleware/log-requests.ts';
import { readRequests } from '#http/middleware/read-requests.ts';
import { refuseOtherPayloads } from '#http/middleware/refuse-other-payloads.ts';
import { sayWhenToReturn } from '#http/middleware/say-when-to-return.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';
import { wireAnswer } from '#http/wire-answer.ts';

/**
 * A Lambda handler for API Gateway's payload format 2.0. Always resolves.
 * @param routes those that this function serves: the event names one of them
 */
export function serve(edge: Edge, ...routes: readonly Route[]): HttpHandler {
  const byKey = new Map(routes.flatMap((route) => routeKeysOf(route).map((key) => [key, route])));
  const routeOf = ({ routeKey }: HttpRequest) => byKey.get(routeKey);
  // Middy's own early answer would leave the route's work under way: budgets end it instead.
  const pipeline = middy<HttpRequest, HttpAnswer>({ timeoutEarlyInMillis: 0 })
    // An answer passes these from the last to the first.
    .use(readRequests())
    .use(logRequests(edge.log, edge.world, edge.signals.publish))
    .use(leaveOutBodies())
    .use(completeAnswers())
    .use(sayWhenToReturn(edge.world.random))
    .use(answerProblems(edge, (request) => routeOf(request)?.keyed ?? false))
    .use(refuseOtherPayloads())
    .handler(async (request) => {
      const route = routeOf(request);
      if (!route) throw new ProblemError('route-not-found');
      return route.answer(request);
    });
  return async (event, context) => wireAnswer(await pipeline(event as HttpRequest, context));
}
