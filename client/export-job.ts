// What a caller sends and sees of an export job, as plain interfaces: whoever installs the client gets
// no schema library with it. Must never drift from the service's own schemas: a test compares them.

export type ExportFormat = 'text' | 'markdown' | 'html' | 'epub' | 'json';
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Parameters of one export. They are sent as they are, the same bytes on every attempt. */
export interface CreateExportJobParams {
  /** 1 to 500 distinct article IDs; their order is the order in the file. */
  articleIds: readonly string[];
  format: ExportFormat;
  /** 1 to 200 characters. */
  title?: string;
  /**
   * BCP 47.
   * @default 'und'
   */
  language?: string;
  /** One job for one source batch, for ever. */
  sourceBatchId?: string;
}

/** What the service answers to a create, stored there and given again byte for byte. */
export interface ExportJobReceipt {
  id: string;
  status: 'queued';
  createdAt: string;
  /** Until then the same key is answered with this same receipt. RFC 3339. */
  keyExpiresAt: string;
  links: { self: string };
}

export interface ExportJob {
  id: string;
  status: JobStatus;
  idempotencyKey: string;
  format: ExportFormat;
  language: string;
  articleCount: number;
  title?: string;
  sourceBatchId?: string;
  createdAt: string;
  startedAt?: string;
  finishedAt?: string;
  /** In articles. */
  progress: { done: number; total: number };
  /** The worker's goes at this job, counted from 1. */
  run: number;
  cancelRequested?: true;
  /** `sha256` in lower-case hex. */
  file?: { bytes: number; sha256: string; contentType: string };
  error?: { code: ExportJobErrorCode; detail: string; articleIds?: string[] };
  links: { self: string; cancel: string; file: string };
}

export type ExportJobErrorCode =
  | 'articles-missing'
  | 'article-unrenderable'
  | 'job-too-large'
  | 'runs-exhausted'
  | 'internal-error';
