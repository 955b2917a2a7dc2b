// The parameters of requests as the document shows them: paths and headers. What they mean is decided by
// the routes; the words here are the contract's.

import * as z from 'zod';
import {
  articleIdSchema,
  IDEMPOTENCY_KEY_PATTERN,
  idempotencyKeySchema,
  jobIdSchema,
} from '#contract/grammar.ts';
import {
  REQUEST_ID_CHARACTERS_MAX,
  REQUEST_TIMEOUT_MS_MAX,
  WAIT_SECONDS_MAX,
} from '#contract/limits.ts';
import { PROBLEM_CODES } from '#contract/problem-catalogue.ts';

const BARE = IDEMPOTENCY_KEY_PATTERN.source.slice(1, -1);

export const jobPathParameters = z.object({
  jobId: jobIdSchema.meta({ description: 'The job, as `id` names it.' }),
});
export const keyPathParameters = z.object({
  key: idempotencyKeySchema.meta({ description: 'The idempotency key, bare.' }),
});
export const articlePathParameters = z.object({
  articleId: articleIdSchema.meta({ description: 'An ID of your choice.' }),
});
export const problemPathParameters = z.object({
  code: z.enum(PROBLEM_CODES).meta({ description: 'The `code` of a problem.' }),
});

/** Headers that every operation of callers takes. */
export const attemptHeaders = z.object({
  'X-Request-Id': z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/)
    .max(REQUEST_ID_CHARACTERS_MAX)
    .exactOptional()
    .meta({ description: 'Names this attempt; echoed. Another form is not taken.' }),
  'X-Request-Timeout-Ms': wholeNumber(
    `What is left of your patience, milliseconds: 1 to ${REQUEST_TIMEOUT_MS_MAX}.`,
  ),
  'X-Request-Deadline': z.iso
    .datetime({ offset: true })
    .exactOptional()
    .meta({ description: 'After this instant you no longer want this attempt to start.' }),
});

export const createHeaders = attemptHeaders.extend({
  'Idempotency-Key': z
    .string()
    .regex(new RegExp(`^(?:${BARE}|"${BARE}")$`))
    .meta({
      description:
        'Names the intent: one key an intent, the same on every attempt. A UUIDv7 is best; it is taken as the moment the intent was minted. Bare, or quoted as a structured-field string.',
      examples: ['019a4f5e-8c00-7d3a-9b1c-2f6f1c0e7a11'],
    }),
  'X-Request-Attempt': wholeNumber(
    'Counts the attempts of one intent from 1. A hint: it changes no answer.',
  ),
});

export const waitHeaders = attemptHeaders.extend({
  Prefer: z
    .string()
    .exactOptional()
    .meta({
      description: `\`wait=N\`, 1 to ${WAIT_SECONDS_MAX} seconds: answer at the next change, or after N seconds.`,
      examples: ['wait=20'],
    }),
  'If-None-Match': ifNoneMatch('The ETag that you have: 304 when it is still the current one.'),
});

export const readHeaders = attemptHeaders.extend({
  'If-None-Match': ifNoneMatch('The ETag that you have: 304 when it is still the current one.'),
});

export const changeHeaders = attemptHeaders.extend({
  'If-Match': z
    .string()
    .exactOptional()
    .meta({ description: 'Change only what has this ETag. Without it a late PUT may overwrite.' }),
});

export const putHeaders = changeHeaders.extend({
  'If-None-Match': ifNoneMatch('`*`: only create. Not together with If-Match.'),
});

function ifNoneMatch(description: string) {
  return z.string().exactOptional().meta({ description });
}

/** Text, as headers are: generated clients hand a number to no fetch. */
function wholeNumber(description: string) {
  return z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/)
    .exactOptional()
    .meta({ description });
}
