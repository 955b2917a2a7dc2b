// How long a finished file is kept. It follows from how long its job is, and from nothing else: the bucket's
// lifecycle rule and what the service publishes are both this one number. A file must outlive its job.

/** A file is written before its job ends, and an end may take a day to be recorded; days. */
const FILE_KEPT_LONGER_DAYS = 2;
const DAY_MS = 86_400_000;

/** Whole days, as S3 counts them, from when the file was written. */
export function fileRetentionDays(jobRetentionMs: number): number {
  return Math.ceil(jobRetentionMs / DAY_MS) + FILE_KEPT_LONGER_DAYS;
}
