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
      const parameters = matchSegments(entry.segments, segments);
      if (parameters) return matchOf(entry, parameters);
    }
    return fallback && { ...fallback, routeKey: '$default', pathParameters: undefined };
  };
}

function matchOf({ definition, route }: Entry, parameters: Record<string, string>): Match {
  const method = route.method === '*' ? 'ANY' : route.method;
  const some = Object.keys(parameters).length > 0;
  return {
    definition,
    route,
    routeKey: `${method} ${route.path}`,
    pathParameters: some ? parameters : undefined,
  };
}

/** Greedy routes last, then fewest parameters first, then a named method before ANY. */
function rank({ segments, route }: Entry): number {
  const greedy = segments.some((segment) => segment.endsWith('+}')) ? 1000 : 0;
  const parameters = segments.filter((segment) => segment.startsWith('{')).length;
  return greedy + parameters * 2 + (route.method === '*' ? 1 : 0);
}

/** A greedy last segment takes all that is left; every other takes one, and a parameter no empty one. */
function matchSegments(
  pattern: readonly string[],
  actual: readonly string[],
): Record<string, string> | undefined {
  const last = pattern.at(-1) ?? '';
  const greedy = last.endsWith('+}');
  const single = greedy ? pattern.slice(0, -1) : pattern;
  const rest = actual.slice(single.length).join('/');
  if (greedy ? rest === '' : actual.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, segment] of single.entries()) {
    const value = actual[at] ?? '';
    const isParameter = segment.startsWith('{');
    if (isParameter ? value === '' : value !== segment) return undefined;
    if (isParameter) parameters[segment.slice(1, -1)] = decodeURIComponent(value);
  }
  if (greedy) parameters[last.slice(1, -2)] = decodeURIComponent(rest);
  return parameters;
}
