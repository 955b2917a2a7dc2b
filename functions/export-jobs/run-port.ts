// What a run of a job needs from outside: its stores, a place to spool the file, a renderer, time.

import type { ArticlePort } from '#export-jobs/article.ts';
import type { FilePort } from '#export-jobs/file-port.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import type { TriesSettings } from '#idempotency/tries.ts';
import type { RenderArticle } from '#rendering/render-article.ts';

export type SpooledFile = {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly remove: () => Promise<void>;
};

export type RunPorts = {
  readonly leases: JobLeasePort;
  readonly jobs: JobReadPort;
  readonly articles: ArticlePort;
  readonly files: FilePort;
  /** Writes what comes to a file of this machine; nothing is left behind when it throws. */
  readonly spool: (content: AsyncIterable<Uint8Array>) => Promise<SpooledFile>;
  /** A renderer with a time and a heap limit for each article, closed at the end of the run. */
  readonly openRenderer: () => {
    readonly renderArticle: RenderArticle;
    readonly close: () => Promise<void>;
  };
};

export type RunSettings = {
  /** How store calls are tried; each has a budget of its own. */
  readonly tries: TriesSettings;
  /** Ends early when the signal aborts. */
  readonly sleepMs: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly newLeaseId: () => string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly runsMax: number;
  /** All Markdown of one job, bytes. */
  readonly jobMarkdownBytesMax: number;
  readonly jobRetentionMs: number;
};

/** The settings within one invocation. */
export type RunOptions = RunSettings & {
  /** What the platform leaves this invocation, milliseconds. */
  readonly platformRemainingMs: () => number;
};
