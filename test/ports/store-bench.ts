// What a case of a port's suite gets, on whichever store it runs: the ports over one set of empty tables,
// faults between them and their caller, and a way to look at what no port tells.
// A case knows no store: what it cannot say here is shown on the wire alone (only-on-the-wire.ts).

import type { ArticleName, ArticlePort } from '#export-jobs/article.ts';
import type { BacklogPort } from '#export-jobs/backlog-port.ts';
import type { ExportJobCommitPort } from '#export-jobs/create-port.ts';
import type { JobName } from '#export-jobs/job.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import type { AbandonPort } from '#idempotency/commit-port.ts';

export type StorePorts = {
  readonly commits: ExportJobCommitPort;
  readonly records: AbandonPort;
  readonly leases: JobLeasePort;
  readonly jobs: JobReadPort;
  readonly articles: ArticlePort;
  readonly sweep: SweepPort;
  readonly backlog: BacklogPort;
};

/** How often a fault has bitten: one that did not tests nothing. */
export type Fault = { readonly bitten: () => number };

export type StoreFaults = {
  /** The next write never reaches the store, and nothing answers it. */
  readonly loseRequest: () => Fault;
  /** The next write is applied, and its answer is lost. */
  readonly loseAnswer: () => Fault;
  /** The next write is not answered within its time, and lands when `land` is called. */
  readonly holdWrite: () => Fault & { readonly land: () => Promise<void> };
  /** The store says no to the next write, before it looks at what stands there. */
  readonly refuse: (why: 'throttled' | 'conflict') => Fault;
  /** From now on refusals come without what stands in the way. */
  readonly bareRefusals: () => Fault;
  /** From now on reads, or the nth of them alone, are answered by what proves nothing. */
  readonly emptyReads: (nth?: number) => Fault;
  /** Writes that left for the store. */
  readonly writes: () => number;
};

/** One item in the tables, by what it is. */
export type ItemName =
  | { readonly of: 'record' | 'claim'; readonly key: string }
  | { readonly of: 'job'; readonly job: JobName }
  | { readonly of: 'article'; readonly article: ArticleName };

export type OutboxEntry = { readonly jobId: string; readonly event: string };

export type StoreBench = {
  readonly ports: StorePorts;
  readonly faults: StoreFaults;
  /** Puts an item in its place that does not parse. */
  readonly spoil: (item: ItemName) => Promise<void>;
  /** Takes an item away, as a purge does. */
  readonly purge: (item: ItemName) => Promise<void>;
  /** Stores a notification that is owed. */
  readonly owe: (owed: { readonly jobId: string; readonly dueAtMs: number }) => Promise<void>;
  /** The notification rows of all jobs. */
  readonly outbox: () => Promise<readonly OutboxEntry[]>;
  readonly close: () => Promise<void>;
};
