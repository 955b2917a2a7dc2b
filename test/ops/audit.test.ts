// The audit over a real store: clean, it finds nothing; each hand-made corruption is found and named.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wire } from '#handlers/wiring.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { openAuditFolder } from '#ops/audit-folder.ts';
import { VIOLATIONS, type ViolationCode } from '#ops/audit-violation.ts';
import { type AuditOptions, type AuditReport, runAudit } from '#ops/run-audit.ts';
import type { Item } from '#store/classify-answer.ts';
import {
  type MadeIntent,
  makeIntent,
  makeIntents,
  SCHEDULE,
  type Stored,
  store,
} from '#test/ops/audited-store.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { connectionOf, serviceEnvironment } from '#test/support/service.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();

let database: Database;
let folder: string;
beforeEach(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'export-once-audit-test-'));
});
afterEach(() => {
  database.client.destroy();
  rmSync(folder, { recursive: true, force: true });
});

type Changed = Partial<AuditOptions> & {
  readonly segments?: number;
  readonly environment?: Readonly<Record<string, string>>;
};

async function audit({
  segments = 3,
  environment,
  ...changed
}: Changed = {}): Promise<AuditReport> {
  const now = changed.now ?? (() => NOW);
  const wiring = wire({
    environment: serviceEnvironment(database, {
      RETENTION_SCHEDULE: SCHEDULE,
      ...environment,
    }),
    connection: connectionOf(database),
    log: testLog,
    signals: noSignals,
  });
  try {
    return await runAudit(
      { ...wiring, isLocal: true },
      {
        client: database.client,
        folder: openAuditFolder(folder, { tables: 'test', startedAtMs: now(), segments }),
        rate: { spend: async () => undefined },
        now,
        sleepMs: async () => undefined,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        ...changed,
      },
    );
  } finally {
    wiring.dynamoDb.destroy();
  }
}
const codesOf = ({ violations }: AuditReport) =>
  [...new Set(violations.map(({ code }) => code))].sort();

describe('a clean store', () => {
  it('has no violation, whatever the number of segments and parts', async () => {
    for await (const { stored } of makeIntents(600, NOW)) await store(database.client, stored);

    const report = await audit({ jobsPerPart: 100 });

    expect(report.violations).toEqual([]);
    expect(report.items).toEqual({
      idempotencyKeys: 600,
      // Requests with many articles stand in items of their own.
      exportJobs: 630,
      businessKeys: 120,
      notifications: 540,
    });
  });

  it('is clean also when it was made by the service just now; what is too new is counted', async () => {
    const made = await makeIntent({ atMs: epochMs(NOW - 1_000), sourceBatchId: 'b' });
    await store(database.client, made.stored);

    expect(await audit()).toMatchObject({ violations: [], tooNew: 1 });
  });

  it('is clean when keys and jobs are gone by right: claims outlive both', async () => {
    const made = await makeIntent({ atMs: epochMs(NOW - 40 * DAY_MS), sourceBatchId: 'b' });
    await store(
      database.client,
      made.stored.filter(({ table }) => table === 'BusinessKeys'),
    );

    expect(codesOf(await audit())).toEqual([]);
  });

  it('nothing is written to it', async () => {
    for await (const { stored } of makeIntents(20, NOW)) await store(database.client, stored);
    const before = await Promise.all(ALL_TABLES.map((table) => itemsOf(database, table)));

    await audit();

    expect(await Promise.all(ALL_TABLES.map((table) => itemsOf(database, table)))).toEqual(before);
  });
});

const ALL_TABLES = ['IdempotencyKeys', 'ExportJobs', 'BusinessKeys', 'Notifications'];

type Corruption = {
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

const without =
  (table: string, where: (item: Item) => boolean = () => true) =>
  ({ stored }: MadeIntent) =>
    stored.filter((one) => one.table !== table || !where(one.item));
const changed = (table: string, change: (item: Item) => Item) => (made: MadeIntent) =>
  made.stored.map((one) =>
    one.table === table && !one.item.owner?.S?.endsWith('#request')
      ? { table, item: change(one.item) }
      : one,
  );
const put = (values: Item) => (item: Item) => ({ ...item, ...values });
const removed = (name: string) => (item: Item) =>
  Object.fromEntries(Object.entries(item).filter(([attribute]) => attribute !== name));
const isRequest = (item: Item) => item.owner?.S?.endsWith('#request') === true;

const CORRUPTIONS: readonly Corruption[] = [
  {
    name: 'the job of a key record is gone',
    code: 'record-without-job',
    also: ['claim-without-job', 'notification-without-job', 'request-left-behind'],
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
    stored: changed(
      'IdempotencyKeys',
      put({ jobId: { S: '01900000-0000-7000-8000-000000000000' } }),
    ),
  },
  {
    name: 'two key records name one job',
    code: 'records-share-job',
    stored: ({ stored }) => [
      ...stored,
      ...stored
        .filter(({ table }) => table === 'IdempotencyKeys')
        .map(({ table, item }) => ({ table, item: { ...item, pk: { S: 'another' } } })),
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
    stored: changed('IdempotencyKeys', put({ purgeAtSeconds: { N: `${NOW + DAY_MS}` } })),
  },
  {
    name: 'a purge time is text',
    code: 'ttl-wrong',
    also: ['record-unreadable', 'job-without-record', 'claim-without-record'],
    stored: changed('IdempotencyKeys', put({ purgeAtSeconds: { S: '1800000000' } })),
  },
  {
    name: 'a key record is purged before its grace is over',
    code: 'ttl-wrong',
    stored: changed('IdempotencyKeys', (item) => ({
      ...item,
      purgeAtSeconds: { N: `${Math.floor(Number(item.expiresAtMs?.N) / 1000) + 60}` },
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
      put({ purgeAtSeconds: { N: `${Math.ceil(NOW / 1000) + 86_400}` } }),
    ),
  },
  {
    name: 'a job does not parse',
    code: 'job-unreadable',
    also: [
      'record-without-job',
      'claim-without-job',
      'notification-without-job',
      'request-left-behind',
    ],
    stored: changed('ExportJobs', put({ status: { S: 'exploded' } })),
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
    stored: changed('ExportJobs', put({ dueAtMs: { N: `${NOW + 1_000}` } })),
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
    stored: changed('ExportJobs', put({ sweepShard: { S: '1' }, dueAtMs: { N: '1' } })),
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
    stored: changed('BusinessKeys', put({ purgeAtSeconds: { N: `${Math.ceil(NOW / 1000)}` } })),
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
    stored: changed('BusinessKeys', put({ jobId: { S: '01900000-0000-7000-8000-000000000000' } })),
  },
  {
    name: 'a batch claim names a key that made another job',
    code: 'claim-without-record',
    stored: changed('BusinessKeys', put({ keyRecordPk: { S: 'another' } })),
  },
  {
    name: 'the notification of a finished job is gone',
    code: 'notification-missing',
    stored: without('Notifications'),
  },
  {
    name: 'a notification tells another end',
    code: 'notification-differs',
    stored: changed('Notifications', put({ event: { S: 'export-job.failed' } })),
  },
  {
    name: 'a notification is owed since an hour',
    code: 'notification-owed',
    stored: changed('Notifications', (item) => ({
      ...removed('purgeAtSeconds')(item),
      state: { S: 'due' },
      dueShard: { S: '0' },
      dueAtMs: { N: `${NOW - HOUR_MS}` },
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

describe('a corruption is found and named', () => {
  it.each(CORRUPTIONS)('$name: $code', async (corruption) => {
    const { code, also = [], stored, unfinished, ageMs, laterMs = 0 } = corruption;
    const many = Array.from({ length: 60 }, (_, n) => `article-with-a-long-name-${n}`);
    for await (const sound of makeIntents(laterMs ? 0 : 12, NOW)) {
      await store(database.client, sound.stored);
    }
    const made = await makeIntent({
      atMs: epochMs(NOW - (ageMs ?? HOUR_MS)),
      sourceBatchId: 'the-batch',
      articleIds: many,
      ...(!unfinished && { finished: true }),
    });
    await store(database.client, await stored(made));

    const report = await audit({ now: () => NOW + laterMs });

    expect(codesOf(report)).toEqual([code, ...also].sort());
    const ids = [
      made.jobId,
      made.record.recordKey,
      'another',
      '01900000-0000-7000-8000-000000000000',
    ];
    const claim = made.stored.find(({ table }) => table === 'BusinessKeys')?.item.pk?.S ?? '';
    for (const { item } of report.violations) {
      expect([...ids, claim].some((id) => item.includes(id))).toBe(true);
    }
  });

  it('TTL on the claims, which are for ever: table-ttl', async () => {
    await database.client.send(
      new UpdateTimeToLiveCommand({
        TableName: 'BusinessKeys',
        TimeToLiveSpecification: { AttributeName: 'createdAtMs', Enabled: true },
      }),
    );

    expect((await audit()).violations).toEqual([
      {
        code: 'table-ttl',
        table: 'businessKeys',
        item: 'BusinessKeys',
        detail: 'TTL is on createdAtMs: nothing here may ever be purged',
      },
    ]);
  });

  it('no TTL on the keys, as after a restore: table-ttl', async () => {
    await database.client.send(
      new UpdateTimeToLiveCommand({
        TableName: 'IdempotencyKeys',
        TimeToLiveSpecification: { AttributeName: 'purgeAtSeconds', Enabled: false },
      }),
    );

    expect(codesOf(await audit())).toEqual(['table-ttl']);
  });

  it('there is a corruption here for every kind but those of deployed tables and restores', () => {
    const tried = new Set<string>(CORRUPTIONS.flatMap(({ code, also = [] }) => [code, ...also]));

    expect(Object.keys(VIOLATIONS).filter((code) => !tried.has(code))).toEqual([
      'table-ttl',
      'table-unprotected',
      'floor-missing',
    ]);
  });
});

describe('an audit that is stopped', () => {
  it('goes on where it was, and finds the same', async () => {
    for await (const { stored } of makeIntents(60, NOW)) await store(database.client, stored);
    const gone = await makeIntent({ atMs: epochMs(NOW - HOUR_MS) });
    await store(database.client, without('ExportJobs')(gone));
    const controller = new AbortController();
    let pages = 0;
    const stopping = audit({
      segments: 4,
      signal: controller.signal,
      onProgress: () => {
        pages += 1;
        if (pages === 6) controller.abort(new Error('stopped by hand'));
      },
    });
    await expect(stopping).rejects.toThrow('stopped by hand');
    let pagesAfter = 0;

    const report = await audit({
      segments: 4,
      onProgress: () => {
        pagesAfter += 1;
      },
    });

    expect(report.violations.map(({ code }) => code)).toEqual(['record-without-job']);
    expect(report.items).toMatchObject({ idempotencyKeys: 61, notifications: 54 });
    // 4 tables of 4 segments of one page each, and one line for the join.
    expect(pagesAfter).toBeLessThanOrEqual(16 - 6 + 1 + 3);
  });
});

describe('after a restore', () => {
  const restoredTo = { restoredToMs: NOW - 30 * 60_000 };

  it('a missing floor is a violation, and the floor is named', async () => {
    for await (const { stored } of makeIntents(12, NOW)) await store(database.client, stored);

    const report = await audit({ restoredTo });

    expect(codesOf(report)).toEqual(['floor-missing']);
    expect(report.restore?.floor).toContain('Set admitNotBefore');
    expect(report.restore?.revived).toEqual([
      '2 jobs are unfinished: they run, maybe again, into files of their own',
    ]);
  });

  it('a floor at or after all that is stored is enough', async () => {
    for await (const { stored } of makeIntents(12, NOW)) await store(database.client, stored);
    const environment = { ADMIT_NOT_BEFORE: new Date(NOW).toISOString() };

    const report = await audit({ restoredTo, environment });

    expect(report.violations).toEqual([]);
    expect(report.restore?.floor).toContain('ADMIT_NOT_BEFORE is');
  });

  it('tables that end at different instants are told, with what was lost between', async () => {
    const early = await makeIntent({ atMs: epochMs(NOW - 2 * HOUR_MS), finished: true });
    const late = await makeIntent({ atMs: epochMs(NOW - HOUR_MS), finished: true });
    await store(database.client, early.stored);
    await store(database.client, without('IdempotencyKeys')(late));

    const report = await audit({ restoredTo });

    expect(codesOf(report)).toEqual(['floor-missing', 'job-without-record']);
    expect(report.restore?.lost.slice(1)).toEqual([
      '1 jobs whose key record is gone',
      expect.stringMatching(/^Keys end at .* and jobs at .*: were they restored to one instant\?$/),
    ]);
  });
});
