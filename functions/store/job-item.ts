// The job as an item, under 2 KB for its whole life: every heartbeat and every list pays for its size.
// Article IDs stand in it while they are few; else in an item of their own, in its own partition.

import * as z from 'zod';
import { EXPORT_FORMATS, JOB_ERROR_CODES, JOB_STATUSES } from '#contract/export-job.ts';
import type { Job, NewJob } from '#export-jobs/job.ts';
import { epochSecondsCeil, plusMs } from '#idempotency/epoch.ts';
import { type View, view } from '#store/dynamo-input.ts';
import { fromItem, type Item, itemBytes } from '#store/item.ts';
import { epochMsSchema, epochSecondsSchema } from '#store/record-item.ts';
import { TABLES } from '#store/tables.ts';

/** Article IDs inline, bytes. */
const INLINE_IDS_BYTES_MAX = 1024;
/** Two write units. */
export const JOB_ITEM_BYTES_MAX = 2048;
/** What a job still gains: lease, times, progress, file or error. Measured by a test. */
const JOB_GROWTH_BYTES = 480;
/** When the sweeper looks at a job that should have moved by itself, milliseconds. */
export type DueTimes = {
  /** Queued for this long. */
  readonly queuedAfterMs: number;
  /** Its lease over by this much. */
  readonly leaseOverdueMs: number;
};

/** How long the request item of a large job is kept, from its creation: longer than any job. */
export type RequestLife = { readonly requestKeptMs: number };

/** Partitions of the index of unfinished work. */
export const SWEEP_SHARDS = 4;

const jobItemSchema = z.object({
  owner: z.string(),
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  idempotencyKey: z.string(),
  format: z.enum(EXPORT_FORMATS),
  language: z.string(),
  articleCount: z.int(),
  title: z.string().exactOptional(),
  sourceBatchId: z.string().exactOptional(),
  articleIds: z.array(z.string()).exactOptional(),
  createdAtMs: epochMsSchema,
  startedAtMs: epochMsSchema.exactOptional(),
  finishedAtMs: epochMsSchema.exactOptional(),
  progressDone: z.int(),
  run: z.int(),
  leaseId: z.string().exactOptional(),
  leaseUntilMs: epochMsSchema.exactOptional(),
  cancelRequested: z.literal(true).exactOptional(),
  file: z.object({ bytes: z.int(), sha256: z.string() }).exactOptional(),
  error: z
    .object({
      code: z.enum(JOB_ERROR_CODES),
      detail: z.string(),
      missing: z.instanceof(Uint8Array).exactOptional(),
    })
    .exactOptional(),
  keyPurgeAtSeconds: epochSecondsSchema,
  purgeAtSeconds: epochSecondsSchema.exactOptional(),
});

const requestItemSchema = z.object({
  owner: z.string(),
  jobId: z.string(),
  articleIds: z.array(z.string()).min(1),
});

export type NewJobItems = { readonly job: Item; readonly request?: Item };

/** The item or two items of a new job. */
export function newJobItems(job: NewJob, due: DueTimes & RequestLife): NewJobItems {
  const whole = {
    ...job,
    sweepShard: sweepShardOf(job.jobId),
    dueAtMs: job.createdAtMs + due.queuedAfterMs,
  };
  const { articleIds: inline, ...rest } = whole;
  const inlineBytes = itemBytes({ articleIds: inline });
  const fits = itemBytes(whole) <= JOB_ITEM_BYTES_MAX - JOB_GROWTH_BYTES;
  if (fits && inlineBytes <= INLINE_IDS_BYTES_MAX) return { job: whole };
  return {
    job: rest,
    request: {
      ...requestKey(job),
      articleIds: job.articleIds,
      purgeAtSeconds: epochSecondsCeil(plusMs(job.createdAtMs, due.requestKeptMs)),
    },
  };
}

export function jobsIn(table: string): View<Job> {
  return view(table, TABLES.exportJobs, jobFromItem);
}

export function jobFromItem(item: Item): Job {
  const stored = fromItem(item, jobItemSchema, 'a job');
  const { error, ...job } = stored;
  if (!error) return job;
  const { missing, ...rest } = error;
  return { ...job, error: missing ? { ...rest, missing: placesFromBits(missing) } : rest };
}

export function articleIdsFromItem(item: Item): readonly string[] {
  return fromItem(item, requestItemSchema, 'the request of a job').articleIds;
}

/** Key of the item that holds the article IDs of a large request. No owner ends in "#request". */
export function requestKey({ owner, jobId }: Pick<Job, 'owner' | 'jobId'>): {
  owner: string;
  jobId: string;
} {
  return { owner: `${owner}#request`, jobId };
}

export function sweepShardOf(jobId: string): string {
  return `${Number.parseInt(jobId.slice(-2), 16) % SWEEP_SHARDS}`;
}

/** Up to 500 places in 63 bytes. */
export function bitsFromPlaces(places: readonly number[]): Uint8Array {
  const bits = new Uint8Array(Math.floor(Math.max(...places) / 8) + 1);
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  return bits;
}

export function placesFromBits(bits: Uint8Array): number[] {
  const places: number[] = [];
  for (const [index, byte] of bits.entries()) {
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) places.push(index * 8 + bit);
  }
  return places;
}
