// What the pipeline and its routes are made of: the parts that wiring hands in, and their shapes.

import type middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Measure } from '#contract/metrics.ts';
import type { DEFAULT_ROUTE, RouteEntry } from '#contract/routes.ts';
import type { HttpAnswer } from '#http/answer.ts';
import type { AttemptConfig, World } from '#http/attempt.ts';
import type { Paths } from '#http/paths.ts';
import type { HttpRequest, LogFields } from '#http/request.ts';

export type Log = {
  readonly info: (message: string, fields: LogFields) => void;
  readonly error: (message: string, fields: LogFields, cause: unknown) => void;
};

/** Metrics: values of one request are published together. */
export type Signals = { readonly measure: Measure; readonly publish: () => void };

export type Edge = {
  readonly config: AttemptConfig;
  readonly paths: Paths;
  readonly world: World;
  readonly log: Log;
  readonly signals: Signals;
};

/** An entry of the list of routes, and what answers it. */
export type Route = Pick<RouteEntry, 'methods' | 'keyed'> & {
  readonly path: RouteEntry['path'] | typeof DEFAULT_ROUTE;
  readonly answer: (request: HttpRequest) => Promise<HttpAnswer> | HttpAnswer;
};

export type HttpHandler = (
  event: unknown,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** The event is read by the first middleware: from there on it is an HttpRequest. */
export type EdgeMiddleware = middy.MiddlewareObj<HttpRequest, HttpAnswer>;
