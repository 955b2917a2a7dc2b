// Export jobs and the intents that make them, as the document shows them.

import {
  createExportJobSchema,
  exportFileSchema,
  exportJobListSchema,
  exportJobReceiptSchema,
  exportJobSchema,
} from '#contract/export-job.ts';
import { listExportJobsQuerySchema } from '#contract/list-query.ts';
import { abandonmentSchema, operationQuerySchema, operationSchema } from '#contract/operation.ts';
import type { Operation } from '#contract/routes.ts';
import type { Described } from '#http/openapi/described.ts';
import {
  attemptHeaders,
  createHeaders,
  jobPathParameters,
  keyPathParameters,
  waitHeaders,
} from '#http/openapi/parameters.ts';
import { answer, problems, RESPONSE_HEADERS } from '#http/openapi/responses.ts';

const { created, etag, location, preferenceApplied, retryAfterWhileUnfinished } = RESPONSE_HEADERS;

export const exportJobOperations = {
  createExportJob: {
    tags: ['Export jobs'],
    summary: 'Create one export job for one intent',
    description:
      'Same key and same body: the first answer again, byte for byte, and no second job. 202 says that the job exists, not that its file does. At most 100 KB.',
    requestParams: { header: createHeaders },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: createExportJobSchema } },
    },
    responses: {
      202: answer(
        'The job exists: made by this attempt, or by an earlier one of this intent.',
        exportJobReceiptSchema,
        {
          ...location,
          ...created,
        },
      ),
      ...problems(
        'idempotency-key-missing',
        'idempotency-key-invalid',
        'idempotency-key-in-future',
        'invalid-json',
        'validation-failed',
        'source-batch-taken',
        'operation-abandoned',
        'idempotency-key-expired',
        'body-too-large',
        'unsupported-media-type',
        'idempotency-key-reused',
        'outcome-unknown',
      ),
    },
  },
  listExportJobs: {
    tags: ['Export jobs'],
    summary: 'List your jobs, newest first',
    description:
      'Each page reads a bounded amount: it may be short or empty and still have a `cursor`. No `cursor` means the end. A cursor is good for its caller and its filters only.',
    requestParams: { header: attemptHeaders, query: listExportJobsQuerySchema },
    responses: { 200: answer('A page.', exportJobListSchema), ...problems('validation-failed') },
  },
  getExportJob: {
    tags: ['Export jobs'],
    summary: 'See a job, at once or at its next change',
    requestParams: { header: waitHeaders, path: jobPathParameters },
    responses: {
      200: answer('The job as it is now.', exportJobSchema, {
        ...etag,
        ...preferenceApplied,
        ...retryAfterWhileUnfinished,
      }),
      304: answer('It still has the ETag that you named.', undefined, {
        ...etag,
        ...preferenceApplied,
        ...retryAfterWhileUnfinished,
      }),
      ...problems('job-not-found'),
    },
  },
  cancelExportJob: {
    tags: ['Export jobs'],
    summary: 'Cancel a job',
    description:
      'Needs no key: to cancel twice is to cancel once. A running job answers with `cancelRequested`, and will not succeed.',
    requestParams: { header: attemptHeaders, path: jobPathParameters },
    responses: {
      200: answer('Cancelled, or about to be.', exportJobSchema, etag),
      ...problems('job-not-found', 'job-already-finished', 'outcome-unknown'),
    },
  },
  getExportFile: {
    tags: ['Export jobs'],
    summary: 'Get the finished file',
    description:
      'A redirect to a short-lived URL; with `Accept: application/json` that URL as JSON.',
    requestParams: { header: attemptHeaders, path: jobPathParameters },
    responses: {
      200: answer('The URL, as JSON.', exportFileSchema),
      303: answer('The URL is in Location. It needs no token.', undefined, location),
      ...problems('job-not-found', 'job-not-finished', 'job-has-no-file', 'file-gone'),
    },
  },
  lookUpOperation: {
    tags: ['Intents'],
    summary: 'Ask what became of an intent',
    description: '404 is "nothing recorded so far": a proof only with `definitive: true`.',
    requestParams: {
      header: attemptHeaders,
      path: keyPathParameters,
      query: operationQuerySchema,
    },
    responses: {
      200: answer('What is recorded.', operationSchema),
      ...problems('idempotency-key-invalid', 'validation-failed', 'operation-not-found'),
    },
  },
  abandonOperation: {
    tags: ['Intents'],
    summary: 'Make sure that an intent will not be executed',
    description: 'If it has been executed already: 409, which names the job. Safe to repeat.',
    requestParams: {
      header: attemptHeaders,
      path: keyPathParameters,
      query: operationQuerySchema,
    },
    responses: {
      200: answer('Abandoned.', abandonmentSchema),
      ...problems(
        'idempotency-key-invalid',
        'validation-failed',
        'operation-committed',
        'outcome-unknown',
      ),
    },
  },
} as const satisfies Partial<Record<Operation, Described>>;
