// Every route of the service as data: what is served, under which method and path, for whom, and how much
// body it takes. The Lambda entries, the OpenAPI paths, 405 with its Allow, CORS and the tests read this
// one list. serverless.yml wires the same routes to functions; a test holds the two together.

import { ARTICLE_BODY_BYTES_MAX, CREATE_BODY_BYTES_MAX } from '#contract/limits.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

export type RouteEntry = {
  /** HEAD stands beside GET where it is served: the same answer without its body. */
  readonly methods: readonly Method[];
  /** As API Gateway writes it: `{name}` stands for one segment. */
  readonly path: `/${string}`;
  /** A caller shows a token; what is public needs none. */
  readonly access: 'caller' | 'public';
  /** Does the operation take a key: then problems say `executed`, `intent` and `retry`. */
  readonly keyed: boolean;
  /** Bytes of the JSON body; without it no body is read. */
  readonly bodyBytesMax?: number;
  /** An asset is a file of our pages: it is served, and is no part of the contract. */
  readonly answers: 'json' | 'page' | 'asset' | 'nothing';
};

const caller = { access: 'caller', keyed: false, answers: 'json' } as const;
const open = { methods: ['GET', 'HEAD'], access: 'public', keyed: false } as const;
const JOBS = '/v1/export-jobs';
const JOB = `${JOBS}/{jobId}` as const;
const OPERATION = '/v1/operations/{key}';
const ARTICLES = '/v1/articles';
const ARTICLE = `${ARTICLES}/{articleId}` as const;

/** By operation, as the OpenAPI document names it. */
export const ROUTES = {
  createExportJob: {
    ...caller,
    methods: ['POST'],
    path: JOBS,
    keyed: true,
    bodyBytesMax: CREATE_BODY_BYTES_MAX,
  },
  listExportJobs: { ...caller, methods: ['GET'], path: JOBS },
  getExportJob: { ...caller, methods: ['GET'], path: JOB },
  cancelExportJob: { ...caller, methods: ['POST'], path: `${JOB}/cancel` },
  getExportFile: { ...caller, methods: ['GET'], path: `${JOB}/file` },
  lookUpOperation: { ...caller, methods: ['GET'], path: OPERATION },
  abandonOperation: { ...caller, methods: ['POST'], path: `${OPERATION}/abandon`, keyed: true },
  listArticles: { ...caller, methods: ['GET'], path: ARTICLES },
  putArticle: {
    ...caller,
    methods: ['PUT'],
    path: ARTICLE,
    bodyBytesMax: ARTICLE_BODY_BYTES_MAX,
  },
  getArticle: { ...caller, methods: ['GET', 'HEAD'], path: ARTICLE },
  deleteArticle: { ...caller, methods: ['DELETE'], path: ARTICLE, answers: 'nothing' },
  getCapabilities: { ...open, path: '/v1/capabilities', answers: 'json' },
  getOpenApi: { ...open, path: '/openapi.json', answers: 'json' },
  getDocs: { ...open, path: '/docs', answers: 'page' },
  getDocsAsset: { ...open, path: '/docs/{asset}', answers: 'asset' },
  getProblem: { ...open, path: '/problems/{code}', answers: 'page' },
} as const satisfies Record<string, RouteEntry>;

export type Operation = keyof typeof ROUTES;
export const OPERATIONS = Object.keys(ROUTES) as Operation[];

/** What API Gateway calls the route of whatever no other matches. */
export const DEFAULT_ROUTE = '$default';

/** `GET /v1/articles/{articleId}`, as API Gateway names a route in its events. */
export function routeKeysOf(route: {
  readonly methods: readonly Method[];
  readonly path: string;
}): string[] {
  if (route.path === DEFAULT_ROUTE) return [DEFAULT_ROUTE];
  return route.methods.map((method) => `${method} ${route.path}`);
}

/** The path of an operation with its parameters put in. They are of grammars that need no escapes. */
export function pathOf(operation: Operation, parameters: Readonly<Record<string, string>>): string {
  return ROUTES[operation].path.replace(/\{(\w+)\}/g, (_, name) => parameters[name] ?? '');
}

/** Methods that a path is served under, in the order of the list; none: the path is not served. */
export function methodsAt(path: string): Method[] {
  const segments = path.split('/');
  const entries: RouteEntry[] = Object.values(ROUTES);
  return entries
    .filter((entry) => matches(entry.path.split('/'), segments))
    .flatMap(({ methods }) => methods);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) =>
      part.startsWith('{') ? segments[at] !== '' : part === segments[at],
    )
  );
}
