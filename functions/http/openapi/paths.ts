// The paths of the document: the list of routes, each with its description. A route without a description, or
// a description without a route, does not compile. HEAD is described from its GET.

import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { type Method, OPERATIONS, type Operation, ROUTES } from '#contract/routes.ts';
import { articleOperations } from '#http/openapi/article-operations.ts';
import type { Described } from '#http/openapi/described.ts';
import { exportJobOperations } from '#http/openapi/export-job-operations.ts';
import { publicOperations } from '#http/openapi/public-operations.ts';
import { withoutBodies } from '#http/openapi/responses.ts';

/** Style and script of the page are files of ours, no contract. */
type Shown = Exclude<Operation, 'getDocsAsset'>;

const DESCRIBED: Readonly<Record<Shown, Described>> = {
  ...exportJobOperations,
  ...articleOperations,
  ...publicOperations,
};

export function openApiPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const name of OPERATIONS.filter(isShown)) {
    const { methods, path } = ROUTES[name];
    for (const method of methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, method) };
    }
  }
  return paths;
}

function operation(name: Shown, method: Method): ZodOpenApiOperationObject {
  const described = DESCRIBED[name];
  const security = ROUTES[name].access === 'public' ? { security: [] } : {};
  if (method !== 'HEAD') return { operationId: name, ...security, ...described };
  return {
    operationId: name.replace(/^get/, 'head'),
    ...security,
    ...described,
    summary: `${described.summary}: the headers alone`,
    responses: withoutBodies(described.responses),
  };
}

function isShown(name: Operation): name is Shown {
  return ROUTES[name].answers !== 'asset';
}
