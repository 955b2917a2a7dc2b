// The small words of the contract: keys, IDs, titles, languages. Schemas for bodies are built from them.

import * as z from 'zod';
import {
  ARTICLE_ID_CHARACTERS_MAX,
  LANGUAGE_CHARACTERS_MAX,
  TITLE_CHARACTERS_MAX,
} from '#contract/limits.ts';
import { IDEMPOTENCY_KEY_PATTERN, keyPatternUpTo } from '#idempotency/idempotency-key.ts';

export { IDEMPOTENCY_KEY_PATTERN };

/** Key grammar, at most 128 characters. */
export const ARTICLE_ID_PATTERN = keyPatternUpTo(ARTICLE_ID_CHARACTERS_MAX);
const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const idempotencyKeySchema = z
  .string()
  .regex(IDEMPOTENCY_KEY_PATTERN, 'must match [A-Za-z0-9._~:-]{1,255} and not be "." or ".."')
  .meta({ examples: ['019a4f5e-8c00-7d3a-9b1c-2f6f1c0e7a11'] });

export const sourceBatchIdSchema = idempotencyKeySchema.meta({ examples: ['autumn-issue-3'] });

export const articleIdSchema = z
  .string()
  .regex(ARTICLE_ID_PATTERN, 'must match [A-Za-z0-9._~:-]{1,128} and not be "." or ".."')
  .meta({ examples: ['retries-en'] });

export const jobIdSchema = z
  .string()
  .regex(UUID_PATTERN, 'must be a job ID (UUIDv7)')
  .meta({ examples: ['019a4f5e-9d21-7c44-8f10-5b7de8a1c902'] });

/** Text that UTF-8 can carry: lone surrogates are refused. */
export const wellFormedTextSchema = z
  .string()
  .refine((text) => text.isWellFormed(), 'must not contain lone surrogates');

/** 1–200 characters, counted as code points, as JSON Schema counts them. */
export const titleSchema = wellFormedTextSchema
  .refine((text) => text.length > 0, 'must not be empty')
  .refine(
    (text) => text.length <= 2 * TITLE_CHARACTERS_MAX && [...text].length <= TITLE_CHARACTERS_MAX,
    `must be at most ${TITLE_CHARACTERS_MAX} characters`,
  )
  .meta({ minLength: 1, maxLength: TITLE_CHARACTERS_MAX, examples: ['Retries, explained'] });

/** A well-formed BCP 47 tag (RFC 5646). */
export const languageSchema = z
  .string()
  .max(LANGUAGE_CHARACTERS_MAX)
  .refine(isLanguageTag, 'must be a BCP 47 language tag such as "en" or "zh-Hant"')
  .meta({ maxLength: LANGUAGE_CHARACTERS_MAX, examples: ['en', 'zh-Hant'] });

/** RFC 3339 in UTC with milliseconds, as all times in answers. */
export const instantSchema = z.iso.datetime({ precision: 3 });

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** What a base path may be: no slash at its end, and no segment that a URL would resolve away. */
export const BASE_PATH_PATTERN = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;
