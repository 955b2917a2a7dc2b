// What anyone may read without a token, as the document shows it.

import * as z from 'zod';
import { capabilitiesSchema } from '#contract/capabilities.ts';
import { problemExplanationSchema } from '#contract/problem-explanations.ts';
import type { Operation } from '#contract/routes.ts';
import type { Described } from '#http/openapi/described.ts';
import { problemPathParameters } from '#http/openapi/parameters.ts';
import { answer, page, problemResponses } from '#http/openapi/responses.ts';

const PUBLIC = { tags: ['Public'] };
const notFound = problemResponses(['route-not-found', 'internal-error']);

export const publicOperations = {
  getCapabilities: {
    ...PUBLIC,
    summary: 'The numbers of this contract',
    responses: {
      200: answer('Limits, retention, times.', capabilitiesSchema),
      ...problemResponses(['route-not-found', 'internal-error']),
    },
  },
  getOpenApi: {
    ...PUBLIC,
    summary: 'This document',
    responses: {
      200: answer('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })),
      ...notFound,
    },
  },
  getDocs: {
    ...PUBLIC,
    summary: 'A page to read this document',
    responses: { 200: page('The page.'), ...notFound },
  },
  getProblem: {
    ...PUBLIC,
    summary: 'What a problem code means, and what to do next',
    description: 'A page; with `Accept: application/json` the same as JSON.',
    requestParams: { path: problemPathParameters },
    responses: {
      200: {
        ...answer('The explanation.', problemExplanationSchema),
        content: {
          'text/html': { schema: z.string() },
          'application/json': { schema: problemExplanationSchema },
        },
      },
      ...notFound,
    },
  },
} as const satisfies Partial<Record<Operation, Described>>;
