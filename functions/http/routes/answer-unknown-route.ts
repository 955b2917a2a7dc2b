// $default: whatever no route matches, whoever asks.

import type { Route } from '#http/edge-parts.ts';
import { ProblemError } from '#http/problem.ts';

export const answerUnknownRoute: Route = {
  keyed: false,
  answer() {
    throw new ProblemError('route-not-found');
  },
};
