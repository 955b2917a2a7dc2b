// Which function serves a request, by API Gateway's rules for HTTP APIs: a whole match before a
// greedy `{proxy+}`, a literal segment before a parameter, $default last. A path that exists only
// under another method is $default's. Matching is on the segments as sent; parameters are decoded.

import type { FunctionDefinition, Route } from '#local/stack/service-definition.ts';

export interface Match {
  readonly definition: FunctionDefinition;
  readonly route: Route;
  /** `POST /v1/export-jobs` or `$default`. */
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
}

interface Entry {
  readonly definition: FunctionDefinition;
  readonly route: Route;
  readonly segments: readonly string[];
}

/** @returns a function of method and path as sent; undefined: no route and no $default */
export function routeTable(functions: readonly FunctionDefinition[]) {
  const entries: Entry[] = functions.flatMap((definition) =>
    definition.routes.map((route) => ({ definition, route, segments: route.path.split('/') })),
  );
  const fallback = entries.find(({ route }) => route.path === '$default');
  const ranked = entries.filter((entry) => entry !== fallback).sort((a, b) => rank(a) - rank(b));

  return (method: string, path: string): Match | undefined => {
    const segments = path.split('/');
    for (const entry of ranked) {
      if (entry.route.method !== method && entry.route.method !== '*') continue;
      const pathParameters = matchSegments(entry.segments, segments);
      if (pathParameters === undefined) continue;
      const { definition, route } = entry;
      const routeKey = `${route.method === '*' ? 'ANY' : route.method} ${route.path}`;
      const some = Object.keys(pathParameters).length > 0;
      return { definition, route, routeKey, pathParameters: some ? pathParameters : undefined };
    }
    if (fallback === undefined) return undefined;
    const { definition, route } = fallback;
    return { definition, route, routeKey: '$default', pathParameters: undefined };
  };
}

/** Greedy routes last, then fewest parameters first, then a named method before ANY. */
function rank({ segments, route }: Entry): number {
  const greedy = segments.some((segment) => segment.endsWith('+}')) ? 1000 : 0;
  const parameters = segments.filter((segment) => segment.startsWith('{')).length;
  return greedy + parameters * 2 + (route.method === '*' ? 1 : 0);
}

function matchSegments(
  pattern: readonly string[],
  actual: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [at, segment] of pattern.entries()) {
    const value = actual[at];
    if (value === undefined) return undefined;
    if (segment.endsWith('+}')) {
      const rest = actual.slice(at).join('/');
      if (rest === '') return undefined;
      parameters[segment.slice(1, -2)] = decodeURIComponent(rest);
      return parameters;
    }
    if (segment.startsWith('{')) {
      if (value === '') return undefined;
      parameters[segment.slice(1, -1)] = decodeURIComponent(value);
    } else if (segment !== value) return undefined;
  }
  return pattern.length === actual.length ? parameters : undefined;
}
