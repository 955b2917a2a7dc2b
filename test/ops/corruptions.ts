// Hand-made corruptions of what one intent stores: each with the kind that an audit must name, and what
// else is wrong then by itself.

import type { ViolationCode } from '#ops/audit/violation.ts';
import type { Item } from '#store/item.ts';
import type { MadeIntent, Stored } from '#test/ops/audited-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When the store is corrupted and audited. */
export const NOW = Date.now();
/** A job that was never made. */
export const NO_JOB = '01900000-0000-7000-8000-000000000000';

export type Corruption = {
  readonly name: string;
  readonly code: ViolationCode;
  /** What else is wrong then, by itself. */
  readonly also?: readonly ViolationCode[];
  readonly stored: (made: MadeIntent) => Promise<readonly Stored[]> | readonly Stored[];
  readonly unfinished?: true;
  readonly ageMs?: number;
  /** Audited so much later, and alone: DynamoDB Local itself removes what is past its purge time. */
  readonly laterMs?: number;
};

export const without =
  (table: string, where: (item: Item) => boolean = () => true) =>
  ({ stored }: MadeIntent) =>
    stored.filter((one) => one.table !== table || !where(one.item));
const changed = (table: string, change: (item: Item) => Item) => (made: MadeIntent) =>
  made.stored.map((one) =>
    one.table === table && !isRequest(one.item) ? { table, item: change(one.item) } : one,
  );
const put = (values: Item) => (item: Item) => ({ ...item, ...values });
const removed = (name: string) => (item: Item) =>
  Object.fromEntries(Object.entries(item).filter(([attribute]) => attribute !== name));
export const isRequest = (item: Item) => `${item.owner}`.endsWith('#request');

export const CORRUPTIONS: readonly Corruption[] = [
  {
    name: 'the job of a key record is gone',
    code: 'record-without-job',
    also: ['claim-without-job', 'notification-without-job', 'request-without-job'],
    stored: without('ExportJobs', (item) => !isRequest(item)),
  },
  {
    name: 'the key record of a job is gone',
    code: 'job-without-record',
    also: ['claim-without-record'],
    stored: without('IdempotencyKeys'),
  },
  {
    name: 'a key record names another job',
    code: 'record-answer-differs',
    also: ['record-without-job', 'job-without-record', 'claim-without-record'],
    stored: changed('IdempotencyKeys', put({ jobId: NO_JOB })),
  },
  {
    name: 'two key records name one job',
    code: 'records-share-job',
    stored: ({ stored }) => [
      ...stored,
      ...stored
        .filter(({ table }) => table === 'IdempotencyKeys')
        .map(({ table, item }) => ({ table, item: { ...item, pk: 'another' } })),
    ],
  },
  {
    name: 'a key record has lost its fingerprint',
    code: 'record-unreadable',
    also: ['job-without-record', 'claim-without-record'],
    stored: changed('IdempotencyKeys', removed('fingerprint')),
  },
  {
    name: 'a purge time is in milliseconds',
    code: 'ttl-wrong',
    also: ['record-unreadable', 'job-without-record', 'claim-without-record'],
    stored: changed('IdempotencyKeys', put({ purgeAtSeconds: Number(`${NOW + DAY_MS}`) })),
  },
  {
    name: 'a purge time is text',
    code: 'ttl-wrong',
    also: ['record-unreadable', 'job-without-record', 'claim-without-record'],
    stored: changed('IdempotencyKeys', put({ purgeAtSeconds: '1800000000' })),
  },
  {
    name: 'a key record is purged before its grace is over',
    code: 'ttl-wrong',
    stored: changed('IdempotencyKeys', (item) => ({
      ...item,
      purgeAtSeconds: Math.floor(Number(item.expiresAtMs) / 1000) + 60,
    })),
  },
  {
    name: 'a finished job has no purge time',
    code: 'ttl-wrong',
    stored: changed('ExportJobs', removed('purgeAtSeconds')),
  },
  {
    name: 'an unfinished job would be purged',
    code: 'ttl-wrong',
    unfinished: true,
    ageMs: 100_000,
    stored: changed(
      'ExportJobs',
      put({ purgeAtSeconds: Number(`${Math.ceil(NOW / 1000) + 86_400}`) }),
    ),
  },
  {
    name: 'a job does not parse',
    code: 'job-unreadable',
    also: [
      'record-without-job',
      'claim-without-job',
      'notification-without-job',
      'request-without-job',
    ],
    stored: changed('ExportJobs', put({ status: 'exploded' })),
  },
  {
    name: 'a job waits for an hour',
    code: 'job-stuck',
    unfinished: true,
    stored: ({ stored }) => stored,
  },
  {
    name: 'a job is put off again and again for days',
    code: 'job-stuck',
    unfinished: true,
    ageMs: 7 * HOUR_MS,
    stored: changed('ExportJobs', put({ dueAtMs: Number(`${NOW + 1_000}`) })),
  },
  {
    name: 'an unfinished job is not in the index of the sweep',
    code: 'job-unseen',
    unfinished: true,
    ageMs: 100_000,
    stored: changed('ExportJobs', removed('sweepShard')),
  },
  {
    name: 'a finished job is still in the index of the sweep',
    code: 'job-swept-for-ever',
    stored: changed('ExportJobs', put({ sweepShard: '1', dueAtMs: 1 })),
  },
  {
    name: 'the article IDs of a job are gone',
    code: 'job-without-articles',
    stored: without('ExportJobs', isRequest),
  },
  {
    name: 'a batch claim is gone',
    code: 'job-without-claim',
    stored: without('BusinessKeys'),
  },
  {
    name: 'a batch claim has a purge time',
    code: 'claim-with-ttl',
    stored: changed('BusinessKeys', put({ purgeAtSeconds: Number(`${Math.ceil(NOW / 1000)}`) })),
  },
  {
    name: 'a batch claim does not parse',
    code: 'claim-unreadable',
    also: ['job-without-claim'],
    stored: changed('BusinessKeys', removed('keyRecordPk')),
  },
  {
    name: 'a batch claim names a job that was never made',
    code: 'claim-without-job',
    also: ['job-without-claim', 'claim-without-record'],
    stored: changed('BusinessKeys', put({ jobId: NO_JOB })),
  },
  {
    name: 'a batch claim names a key that made another job',
    code: 'claim-without-record',
    stored: changed('BusinessKeys', put({ keyRecordPk: 'another' })),
  },
  {
    name: 'the notification of a finished job is gone',
    code: 'notification-missing',
    stored: without('Notifications'),
  },
  {
    name: 'a notification tells another end',
    code: 'notification-differs',
    stored: changed('Notifications', put({ event: 'export-job.failed' })),
  },
  {
    name: 'a notification is owed since an hour',
    code: 'notification-owed',
    stored: changed('Notifications', (item) => ({
      ...removed('purgeAtSeconds')(item),
      state: 'due',
      dueShard: '0',
      dueAtMs: Number(`${NOW - HOUR_MS}`),
    })),
  },
  {
    name: 'a notification does not parse',
    code: 'notification-unreadable',
    also: ['notification-missing'],
    stored: changed('Notifications', removed('event')),
  },
  {
    name: 'an item is stored a week after its purge time',
    code: 'past-purge',
    laterMs: 48 * DAY_MS,
    stored: ({ stored }) => stored,
  },
];
