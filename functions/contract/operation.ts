// What the service says of an intent, looked up by its key.

import * as z from 'zod';
import { jobStatusSchema } from '#contract/export-job.ts';
import { idempotencyKeySchema, instantSchema, jobIdSchema } from '#contract/grammar.ts';

export const jobReferenceSchema = z
  .object({ id: jobIdSchema, href: z.string(), status: jobStatusSchema.exactOptional() })
  .meta({ id: 'JobReference' });
export type JobReference = z.infer<typeof jobReferenceSchema>;

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
