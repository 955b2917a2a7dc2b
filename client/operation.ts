// What the service knows of an intent, looked up by its key. Compared with the service's schemas by a test.

import type { JobStatus } from '#client/export-job.ts';

export interface JobReference {
  id: string;
  href: string;
  status?: JobStatus;
}

/** A record stands under the key: the intent was executed, or abandoned. */
export interface Operation {
  key: string;
  state: 'committed' | 'abandoned';
  /** Past its retention window; still stored. */
  expired: boolean;
  job?: JobReference;
  committedAt: string;
  expiresAt: string;
}

/**
 * Nothing is recorded so far. That proves something only when `definitive` is true:
 * then nothing was executed under this key, and nothing will be.
 */
export interface NothingRecorded {
  key: string;
  state: 'none';
  definitive: boolean;
  admissibleUntil?: string;
  definitiveFrom?: string;
  definitiveUntil?: string;
}

export interface Abandonment {
  key: string;
  state: 'abandoned';
  expired: boolean;
  committedAt: string;
  expiresAt: string;
  /** `unknown` when the key is so old that a committed record may have been removed already. */
  executed: 'no' | 'unknown';
}
