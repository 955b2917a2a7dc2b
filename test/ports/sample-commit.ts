// A commit as the cases of its port send and see it.

import type { CommitResult } from '#idempotency/commit-port.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { committedRecord, effectOf, READ, sending } from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

export type Commit = {
  readonly record: CommittedRecord;
  readonly effect: ReturnType<typeof effectOf>;
};

export const commitOf = (record = committedRecord(), claimKey?: string): Commit => ({
  record,
  effect: effectOf(record, claimKey),
});

export function send(
  { ports }: StoreBench,
  { record, effect }: Commit,
  options = sending(),
): Promise<CommitResult> {
  return ports.commits.prepare(record, effect).send(options);
}

/** What of a commit stands in the tables. */
export async function standing({ ports }: StoreBench, { record, effect }: Commit) {
  const stored = await ports.commits.readRecord(record.recordKey, READ);
  const job = await ports.jobs.readJob(effect.job.owner, effect.job.jobId, READ);
  return { record: stored.kind, job: job.kind };
}
export const NOTHING = { record: 'none', job: 'none' };
export const ALL = { record: 'found', job: 'found' };

export function receiptOf(read: Awaited<ReturnType<StoreBench['ports']['commits']['readRecord']>>) {
  if (read.kind !== 'found' || read.value.state !== 'committed') return undefined;
  return Buffer.from(read.value.receipt).toString();
}
