// One set of tables in memory, shared by the ports over it. Records go once they are past their purge time
// and whatever TTL takes beyond that; nothing else goes by itself.

import type { Article } from '#export-jobs/article.ts';
import { isFinished, type Job, type JobName } from '#export-jobs/job.ts';
import type { Claim } from '#idempotency/commit-port.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import { createTable, type Table } from '#test/support/simulated/table.ts';

export type StoredRecord = {
  readonly record: IdempotencyRecord;
  /** Of the send that wrote it: the same token again is the same write. */
  readonly token: string;
  /** When TTL has removed it. */
  readonly goneAtMs: number;
};
export type StoredJob = {
  /** Without its article IDs. */
  readonly job: Job;
  readonly articleIds: readonly string[];
  /** When a sweep shall look; of no meaning once the job is finished. */
  readonly dueAtMs: number;
};
export type OutboxRow = {
  readonly jobId: string;
  readonly event?: string;
  /** Only while it is owed. */
  readonly dueAtMs?: number;
};

export type SimulatedTables = {
  readonly records: Table<StoredRecord>;
  readonly claims: Table<Claim>;
  readonly jobs: Table<StoredJob>;
  readonly articles: Table<Article>;
  readonly outbox: Table<OutboxRow>;
  /** Removes the records that are gone at an instant. */
  readonly purge: (atMs: number) => void;
};

export function simulatedTables(): SimulatedTables {
  const records = createTable<StoredRecord>();
  return {
    records,
    claims: createTable(),
    jobs: createTable(),
    articles: createTable(),
    outbox: createTable(),
    purge(atMs) {
      for (const [key, { goneAtMs }] of records.entries()) {
        if (goneAtMs <= atMs) records.delete(key);
      }
    },
  };
}

/** Key of a row that has an owner. */
export function ownedKey(owner: string, id: string): string {
  return `${owner}/${id}`;
}

export function jobKey({ owner, jobId }: JobName): string {
  return ownedKey(owner, jobId);
}

/** Rows of one owner alone. */
export function ownedBy<T>(table: Table<T>, owner: string): readonly T[] {
  return table
    .entries()
    .filter(([key]) => key.startsWith(`${owner}/`))
    .map(([, item]) => item);
}

export function isUnfinished({ job }: StoredJob): boolean {
  return !isFinished(job.status);
}
