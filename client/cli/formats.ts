// The formats and states that can be asked for. The compiler holds them against the contract: a format
// that the service gains or loses does not compile here until it is named or gone.

import type { ExportFormat, JobStatus } from '#client/export-job.ts';
import type { ExportFormat as ServiceFormat } from '#contract/export-job.ts';

/** Ends of file names. */
export const EXTENSIONS: Readonly<Record<ExportFormat & ServiceFormat, string>> = {
  text: 'txt',
  markdown: 'md',
  html: 'html',
  epub: 'epub',
  json: 'json',
} satisfies Record<ServiceFormat, string>;

const STATUS_IS_FINAL: Readonly<Record<JobStatus, boolean>> = {
  queued: false,
  running: false,
  succeeded: true,
  failed: true,
  cancelled: true,
};

export const FORMATS = Object.keys(EXTENSIONS);
export const STATUSES = Object.keys(STATUS_IS_FINAL);
