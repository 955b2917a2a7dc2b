// GET /openapi.json, /docs, /docs/{asset} and /problems/{code}: the contract, for readers and for machines.
// Public and cacheable; made once a process, at the first request.

import { gzipSync } from 'node:zlib';
import { PROBLEM_CODES } from '#contract/problem-catalogue.ts';
import { ROUTES } from '#contract/routes.ts';
import { acceptsGzip, prefersJson } from '#http/accept.ts';
import { type HttpAnswer, json } from '#http/answer.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { openApiDocument } from '#http/openapi/document.ts';
import { docsPage } from '#http/pages/docs-page.ts';
import { PAGE_HEADERS } from '#http/pages/html-page.ts';
import { DOCS_SCRIPT, PAGE_STYLE } from '#http/pages/page-style.ts';
import { problemExplanation, problemPage } from '#http/pages/problem-page.ts';
import { SWAGGER_SCRIPT, SWAGGER_STYLE } from '#http/pages/swagger-files.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';

type Asset = { readonly type: string; readonly text: string };

const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['swagger-ui.css', { type: 'text/css; charset=utf-8', text: SWAGGER_STYLE }],
  ['swagger-ui.js', { type: 'text/javascript; charset=utf-8', text: SWAGGER_SCRIPT }],
  ['page.css', { type: 'text/css; charset=utf-8', text: PAGE_STYLE }],
  ['page.js', { type: 'text/javascript; charset=utf-8', text: DOCS_SCRIPT }],
]);
const OPENAPI_MAX_AGE_SECONDS = 300;

/** The description, the page that shows it, the page's own files and one page a problem. */
export function docsRoutes({ paths }: Pick<Edge, 'paths'>): readonly [Route, Route, Route, Route] {
  const openApi = once(
    (): HttpAnswer => ({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': `public, max-age=${OPENAPI_MAX_AGE_SECONDS}`,
        vary: 'origin',
      },
      body: JSON.stringify(openApiDocument(paths.base)),
    }),
  );
  const gzipped = new Map<string, Uint8Array>();
  return [
    { ...ROUTES.getOpenApi, answer: openApi },
    { ...ROUTES.getDocs, answer: docsPage },
    { ...ROUTES.getDocsAsset, answer: (request) => assetAnswer(request, gzipped) },
    { ...ROUTES.getProblem, answer: problemAnswer },
  ];
}

/** A megabyte and a half of script travels as a third of it. */
function assetAnswer(request: HttpRequest, gzipped: Map<string, Uint8Array>): HttpAnswer {
  const name = request.pathParameters.get('asset') ?? '';
  const asset = ASSETS.get(name);
  if (!asset) throw new ProblemError('route-not-found');
  const headers = { ...PAGE_HEADERS, 'content-type': asset.type, vary: 'accept-encoding, origin' };
  if (!acceptsGzip(request.header('accept-encoding'))) {
    return { status: 200, headers, body: asset.text };
  }
  const body = gzipped.get(name) ?? gzipSync(asset.text);
  gzipped.set(name, body);
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body };
}

function problemAnswer(request: HttpRequest): HttpAnswer {
  const code = PROBLEM_CODES.find((each) => each === request.pathParameters.get('code'));
  if (!code)
    throw new ProblemError('route-not-found', { detail: 'There is no such problem code.' });
  const vary = { vary: 'accept, origin' };
  if (prefersJson(request.header('accept'))) {
    return json(200, problemExplanation(code), {
      'cache-control': PAGE_HEADERS['cache-control'],
      ...vary,
    });
  }
  const page = problemPage(code);
  return { ...page, headers: { ...page.headers, ...vary } };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
