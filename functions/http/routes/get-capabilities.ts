// GET /v1/capabilities: the numbers of the contract. Public and cacheable.

import type { Capabilities } from '#contract/capabilities.ts';
import { EXPORT_FORMATS } from '#contract/export-job.ts';
import {
  ARTICLE_MARKDOWN_BYTES_MAX,
  ARTICLES_PER_JOB_MAX,
  CLOCK_SKEW_MS_MAX,
  CREATE_BODY_BYTES_MAX,
  REQUEST_TIMEOUT_MS_MAX,
  WAIT_SECONDS_MAX,
} from '#contract/limits.ts';
import { ROUTES } from '#contract/routes.ts';
import { fileRetentionDays } from '#export-jobs/file-retention.ts';
import { json } from '#http/answer.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { rfc3339 } from '#idempotency/epoch.ts';
import { FINGERPRINT_VERSION } from '#idempotency/fingerprint.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '#idempotency/idempotency-key.ts';

export function getCapabilitiesRoute(
  { config }: Edge,
  jobRetention: { readonly text: string; readonly ms: number },
): Route {
  const { retention, budgetMs } = config;
  const capabilities: Capabilities = {
    idempotency: {
      required: true,
      keyPattern: IDEMPOTENCY_KEY_PATTERN.source,
      timeStamped: 'uuidv7',
      schedule: retention.schedule.map(({ fromMs, window, grace }) => ({
        from: rfc3339(fromMs),
        window,
        grace,
      })),
      reserve: retention.reserve,
      clockSkew: `PT${CLOCK_SKEW_MS_MAX / 1000}S`,
      fingerprint: FINGERPRINT_VERSION,
    },
    jobs: {
      retention: jobRetention.text,
      fileRetention: `P${fileRetentionDays(jobRetention.ms)}D`,
      formats: [...EXPORT_FORMATS],
      maxArticles: ARTICLES_PER_JOB_MAX,
      maxBodyBytes: CREATE_BODY_BYTES_MAX,
    },
    articles: { maxBytes: ARTICLE_MARKDOWN_BYTES_MAX },
    time: {
      maxTimeoutMs: REQUEST_TIMEOUT_MS_MAX,
      defaultBudgetMs: budgetMs,
      maxWaitS: WAIT_SECONDS_MAX,
    },
  };
  const answer = json(200, capabilities, {
    'cache-control': 'public, max-age=300',
    vary: 'origin',
  });
  return { ...ROUTES.getCapabilities, answer: () => answer };
}
