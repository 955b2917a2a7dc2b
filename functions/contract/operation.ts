// What the service says of an intent, looked up by its key.

import * as z from 'zod';
import { jobStatusSchema } from '#contract/export-job.ts';
import { idempotencyKeySchema, instantSchema, jobIdSchema } from '#contract/grammar.ts';

export const jobReferenceSchema = z
  .object({
    id: jobIdSchema,
    href: z.string().meta({ examples: ['/v1/export-jobs/019a4f5e-9d21-7c44-8f10-5b7de8a1c902'] }),
    status: jobStatusSchema.exactOptional(),
  })
  .meta({ id: 'JobReference' });
export type JobReference = z.infer<typeof jobReferenceSchema>;

/** Operations that take an idempotency key: the same key under another one is another intent. */
export const KEYED_OPERATIONS = ['create-export-job'] as const;

/** The query string of a look-up and of an abandonment. */
export const operationQuerySchema = z.strictObject({
  operation: z
    .enum(KEYED_OPERATIONS)
    .default('create-export-job')
    .meta({ description: 'The operation that the key was sent with.' }),
});

/** 200 of `GET /v1/operations/{key}`. */
export const operationSchema = z
  .object({
    key: idempotencyKeySchema,
    state: z.enum(['committed', 'abandoned']),
    expired: z.boolean(),
    job: jobReferenceSchema.exactOptional(),
    committedAt: instantSchema,
    expiresAt: instantSchema,
  })
  .meta({ id: 'Operation' });
export type Operation = z.infer<typeof operationSchema>;

/** 200 of `POST /v1/operations/{key}/abandon`. `executed` says `unknown` when a committed record may be purged. */
export const abandonmentSchema = operationSchema
  .omit({ job: true })
  .extend({
    state: z.literal('abandoned'),
    executed: z.enum(['no', 'unknown']),
  })
  .meta({ id: 'Abandonment' });
export type Abandonment = z.infer<typeof abandonmentSchema>;
