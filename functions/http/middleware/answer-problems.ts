// Whatever is thrown becomes problem+json. What is not expected is logged with its cause and answered
// with the catalogue's words.

import { PROBLEM_CONTENT_TYPE } from '#contract/problem.ts';
import { PROBLEMS } from '#contract/problem-catalogue.ts';
import type { HttpAnswer } from '#http/answer.ts';
import type { Edge, EdgeMiddleware } from '#http/edge-parts.ts';
import { type Asked, asProblem, type ProblemError, problemBody } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';

export function answerProblems(
  { config, log, signals, paths }: Edge,
  keyed: (request: HttpRequest) => boolean,
): EdgeMiddleware {
  return {
    onError: (middle) => {
      const request = middle.event;
      const problem = asProblem(middle.error);
      if (problem.code === 'internal-error') {
        log.error('a request failed', { requestId: request.requestId }, problem.cause);
      }
      if (problem.code === 'clock-untrusted') signals.measure('AttemptClockUntrusted', 1);
      request.notes.problem = problem.code;
      const answer = problemAnswer(problem, {
        type: paths.problem(problem.code),
        requestId: request.requestId,
        // A caller need not remember which key it sent: an operation with a key says it in each problem.
        keyed: keyed(request) && request.named,
      });
      const retryAfterMs = waitAfter(problem, config.retries.isSpent());
      middle.response = retryAfterMs === undefined ? answer : { ...answer, retryAfterMs };
    },
  };
}

function problemAnswer({ code, extras }: ProblemError, asked: Asked): HttpAnswer {
  const body = problemBody(code, extras, asked);
  const headers = { 'content-type': PROBLEM_CONTENT_TYPE, ...extras.headers };
  return { status: body.status, headers, body };
}

/** @param spent has this instance no retries left? */
function waitAfter({ code, extras }: ProblemError, spent: boolean): number | undefined {
  const { retryAfterMs, retryAfterSpentMs } = PROBLEMS[code];
  return extras.retryAfterMs ?? (spent ? (retryAfterSpentMs ?? retryAfterMs) : retryAfterMs);
}
