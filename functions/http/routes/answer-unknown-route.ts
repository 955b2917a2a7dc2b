// $default: whatever no route matches, whoever asks. A path that is served under other methods is told
// them; API Gateway hands both cases over alike.

import { DEFAULT_ROUTE, methodsAt } from '#contract/routes.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { ProblemError } from '#http/problem.ts';

export function answerUnknownRoute({ paths }: Pick<Edge, 'paths'>): Route {
  return {
    methods: [],
    path: DEFAULT_ROUTE,
    keyed: false,
    answer({ method, path }) {
      const allowed = methodsAt(below(path, paths.base));
      // A method that the path takes came here all the same: the path was spelled in another way (the
      // gateway matches what was sent, and hands it on decoded).
      const missed = allowed.some((one) => one === method);
      if (allowed.length === 0 || missed) throw new ProblemError('route-not-found');
      throw new ProblemError('method-not-allowed', { headers: { allow: allowed.join(', ') } });
    },
  };
}

/** API Gateway hands on the base path of a custom domain; the API's own address has none. */
function below(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
