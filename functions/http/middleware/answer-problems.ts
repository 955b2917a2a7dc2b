// Whatever is thrown becomes problem+json. What is not expected is logged with its cause and answered
// with the catalogue's words.

import { PROBLEM_CONTENT_TYPE } from '#contract/problem.ts';
import { type HttpAnswer, retryAfterSeconds } from '#http/answer.ts';
import type { Edge, EdgeMiddleware, Route } from '#http/edge-parts.ts';
import { asProblem, ProblemError, problemBody } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';
import { wireAnswer } from '#http/wire-answer.ts';

export function answerProblems(
  route: Route,
  { config, world, log, signals }: Edge,
): EdgeMiddleware {
  return {
    onError: (middle) => {
      const request = middle.event;
      const problem = problemOf(middle.error, world.random);
      if (problem.code === 'internal-error') {
        log.error('a request failed', { requestId: request.requestId }, problem.cause);
      }
      if (problem.code === 'clock-untrusted') signals.measure('AttemptClockUntrusted', 1);
      request.notes.problem = problem.code;
      middle.response = wireAnswer(problemAnswer(problem, request, route.keyed), request, config);
    },
  };
}

function problemOf(error: unknown, random: () => number): ProblemError {
  const problem = asProblem(error);
  if (problem.code !== 'internal-error') return problem;
  const extras = { ...problem.extras, retryAfterSeconds: retryAfterSeconds(1_000, random) };
  return new ProblemError('internal-error', extras, problem.cause);
}

function problemAnswer(
  { code, extras }: ProblemError,
  request: HttpRequest,
  keyed: boolean,
): HttpAnswer {
  const body = problemBody(code, extras, { requestId: request.requestId, keyed });
  return {
    status: body.status,
    headers: {
      'content-type': PROBLEM_CONTENT_TYPE,
      ...(extras.retryAfterSeconds !== undefined && {
        'retry-after': `${extras.retryAfterSeconds}`,
      }),
      ...extras.headers,
    },
    body,
  };
}
