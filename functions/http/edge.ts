// The one pipeline of every HTTP function: read the event, let the route answer, and make one answer of
// whatever came of it. A route's bug becomes the catalogue's words, never a stack.

import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Measure } from '#contract/metrics.ts';
import type { HttpAnswer } from '#http/answer.ts';
import type { AttemptConfig, World } from '#http/attempt.ts';
import { answerProblems } from '#http/middleware/answer-problems.ts';
import { logRequests } from '#http/middleware/log-requests.ts';
import { readRequests } from '#http/middleware/read-requests.ts';
import { refuseOtherPayloads } from '#http/middleware/refuse-other-payloads.ts';
import type { HttpRequest, LogFields } from '#http/request.ts';
import { wireAnswer } from '#http/wire-answer.ts';

export type Log = {
  readonly info: (message: string, fields: LogFields) => void;
  readonly error: (message: string, fields: LogFields, cause: unknown) => void;
};

export type EdgeConfig = AttemptConfig & {
  /** Origins that browsers may call from; `*` for any. Empty: none. */
  readonly allowedOrigins: readonly string[];
};

/** Metrics: values of one request are published together. */
export type Signals = { readonly measure: Measure; readonly publish: () => void };

export type Edge = {
  readonly config: EdgeConfig;
  readonly world: World;
  readonly log: Log;
  readonly signals: Signals;
};

export type Route = {
  /** Does the operation take a key: then problems say `executed`, `intent` and `retry`. */
  readonly keyed: boolean;
  readonly answer: (request: HttpRequest) => Promise<HttpAnswer> | HttpAnswer;
};

export type HttpHandler = (
  event: unknown,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** The event is read by the first middleware: from there on it is an HttpRequest. */
export type EdgeMiddleware = middy.MiddlewareObj<HttpRequest, APIGatewayProxyStructuredResultV2>;

/** A Lambda handler for API Gateway's payload format 2.0. Always resolves. */
export function edge(route: Route, parts: Edge): HttpHandler {
  const { config, world, log, signals } = parts;
  // Middy's own early answer would leave the route's work under way: budgets end it instead.
  const pipeline = middy<HttpRequest, APIGatewayProxyStructuredResultV2>({
    timeoutEarlyInMillis: 0,
  })
    .use(readRequests())
    .use(logRequests(log, world, signals.publish))
    .use(answerProblems(route, parts))
    .use(refuseOtherPayloads())
    .handler(async (request) => wireAnswer(await route.answer(request), request, config));
  return (event, context) => pipeline(event as HttpRequest, context);
}
