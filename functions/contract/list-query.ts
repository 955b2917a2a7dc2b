// The query strings of lists. Values arrive as text; a parameter that is not known is refused, since a
// misspelt filter would answer everything.

import * as z from 'zod';
import { jobStatusSchema } from '#contract/export-job.ts';
import { idempotencyKeySchema, sourceBatchIdSchema } from '#contract/grammar.ts';
import { PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX } from '#contract/limits.ts';

const limitSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,2}$/, `must be a whole number from 1 to ${PAGE_ITEMS_MAX}`)
  .transform(Number)
  .refine((limit) => limit <= PAGE_ITEMS_MAX, `must be at most ${PAGE_ITEMS_MAX}`)
  .default(PAGE_ITEMS_DEFAULT)
  .meta({ type: 'integer', minimum: 1, maximum: PAGE_ITEMS_MAX });

export const listArticlesQuerySchema = z.strictObject({
  limit: limitSchema,
  cursor: z.string().exactOptional(),
});

export const listExportJobsQuerySchema = z.strictObject({
  limit: limitSchema,
  cursor: z.string().exactOptional(),
  status: jobStatusSchema.exactOptional(),
  sourceBatchId: sourceBatchIdSchema.exactOptional(),
  idempotencyKey: idempotencyKeySchema.exactOptional(),
});
