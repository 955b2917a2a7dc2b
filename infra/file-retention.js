// The days after which the bucket removes finished files, for serverless.yml: computed from `jobRetention`
// by the code that the service publishes it with, so that no second number can be forgotten.

import { fileRetentionDays } from '#export-jobs/file-retention.ts';
import { parseDurationMs } from '#idempotency/duration.ts';

export async function days({ resolveVariable }) {
  const jobRetention = await resolveVariable('param:jobRetention');
  const ms = parseDurationMs(jobRetention);
  if (ms !== undefined) return fileRetentionDays(ms);
  throw new Error(`jobRetention must be an ISO 8601 duration such as P30D, not "${jobRetention}".`);
}
