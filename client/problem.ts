// An error of the service: application/problem+json (RFC 9457), as a plain interface.
// A newer service may answer codes that this client does not know: `code` is any string.

import type { JobReference } from '#client/operation.ts';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** For example `validation-failed`; `/problems/<code>` of the service explains each. */
  code: string;
  requestId: string;
  /** Did this attempt take effect. */
  executed?: 'yes' | 'no' | 'unknown';
  /** What the service knows of the intent as a whole. */
  intent?: 'committed' | 'abandoned' | 'unknown';
  retry?: 'same-key' | 'new-key' | 'no';
  idempotencyKey?: string;
  errors?: { pointer: string; detail: string }[];
  job?: JobReference;
  /** Top-level members of the body that differ from the first request under the key. */
  members?: string[];
  serverTime?: string;
  definitive?: boolean;
  admissibleUntil?: string;
  definitiveFrom?: string;
  definitiveUntil?: string;
}
