// The body of every error: application/problem+json (RFC 9457).

import * as z from 'zod';
import { instantSchema } from '#contract/grammar.ts';
import { jobReferenceSchema } from '#contract/operation.ts';
import { PROBLEM_CODES } from '#contract/problem-catalogue.ts';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

export const problemSchema = z
  .object({
    type: z.string().meta({
      description: 'URI reference of the page that explains the code.',
      examples: ['/problems/outcome-unknown'],
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(PROBLEM_CODES),
    requestId: z.string(),
    executed: z
      .enum(['yes', 'no', 'unknown'])
      .exactOptional()
      .meta({ description: 'Did this attempt take effect.' }),
    intent: z
      .enum(['committed', 'abandoned', 'unknown'])
      .exactOptional()
      .meta({ description: 'What the store knows of the intent as a whole.' }),
    retry: z.enum(['same-key', 'new-key', 'no']).exactOptional(),
    idempotencyKey: z.string().exactOptional(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).exactOptional(),
    job: jobReferenceSchema.exactOptional(),
    members: z
      .array(z.string())
      .exactOptional()
      .meta({ description: 'Top-level members of the body that differ from the first request.' }),
    serverTime: instantSchema.exactOptional(),
    definitive: z.boolean().exactOptional(),
    admissibleUntil: instantSchema.exactOptional(),
    definitiveFrom: instantSchema.exactOptional(),
    definitiveUntil: instantSchema.exactOptional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
