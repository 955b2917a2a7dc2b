// The numbers of the contract, machine-readable: GET /v1/capabilities. Durations are ISO 8601.

import * as z from 'zod';
import { EXPORT_FORMATS } from '#contract/export-job.ts';
import { instantSchema } from '#contract/grammar.ts';

const durationSchema = z
  .string()
  .regex(/^P/)
  .meta({ examples: ['PT24H'] });

export const capabilitiesSchema = z
  .object({
    idempotency: z.object({
      required: z.literal(true),
      keyPattern: z.string(),
      timeStamped: z.literal('uuidv7'),
      schedule: z
        .array(z.object({ from: instantSchema, window: durationSchema, grace: durationSchema }))
        .min(1),
      reserve: durationSchema,
      clockSkew: durationSchema,
      fingerprint: z.literal('v1'),
    }),
    jobs: z.object({
      retention: durationSchema,
      /** Files are kept a little longer than the jobs that name them. */
      fileRetention: durationSchema,
      formats: z.array(z.enum(EXPORT_FORMATS)),
      maxArticles: z.int(),
      maxBodyBytes: z.int(),
    }),
    articles: z.object({ maxBytes: z.int() }),
    time: z.object({ maxTimeoutMs: z.int(), defaultBudgetMs: z.int(), maxWaitS: z.int() }),
  })
  .meta({ id: 'Capabilities' });
export type Capabilities = z.infer<typeof capabilitiesSchema>;
