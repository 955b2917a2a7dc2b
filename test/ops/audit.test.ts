// The audit over a real store: clean, it finds nothing; each hand-made corruption is found and named.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wire } from '#handlers/wiring.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { openAuditFolder } from '#ops/audit/folder.ts';
import { type AuditOptions, type AuditReport, runAudit } from '#ops/audit/run-audit.ts';
import { VIOLATIONS } from '#ops/audit/violation.ts';
import { makeIntent, makeIntents, SCHEDULE, store } from '#test/ops/audited-store.ts';
import { CORRUPTIONS, isRequest, NO_JOB, NOW, without } from '#test/ops/corruptions.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { connectionOf, serviceEnvironment } from '#test/support/service.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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
        lastFailure: () => 'a failure',
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

    const report = await audit({ itemsPerPart: 100 });

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

  it('is clean when a job is gone by right and its article IDs are kept for longer', async () => {
    const articleIds = Array.from({ length: 60 }, (_, n) => `article-with-a-long-name-${n}`);
    const made = await makeIntent({ atMs: epochMs(NOW - 40 * DAY_MS), articleIds });
    await store(
      database.client,
      made.stored.filter(({ item }) => isRequest(item)),
    );

    expect(await audit()).toMatchObject({ violations: [], items: { exportJobs: 1 } });
  });

  it('nothing is written to it', async () => {
    for await (const { stored } of makeIntents(20, NOW)) await store(database.client, stored);
    const before = await Promise.all(ALL_TABLES.map((table) => itemsOf(database, table)));

    await audit();

    expect(await Promise.all(ALL_TABLES.map((table) => itemsOf(database, table)))).toEqual(before);
  });
});

const ALL_TABLES = ['IdempotencyKeys', 'ExportJobs', 'BusinessKeys', 'Notifications'];

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
    const ids = [made.jobId, made.record.recordKey, 'another', NO_JOB];
    const claim = made.stored.find(({ table }) => table === 'BusinessKeys')?.item.pk;
    for (const { item } of report.violations) {
      expect([...ids, String(claim)].some((id) => item.includes(id))).toBe(true);
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
    // 4 tables of 4 segments of one page each, one line for the dealing and one for the join.
    expect(pagesAfter).toBeLessThanOrEqual(16 - 6 + 2 + 3);
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

  it('a floor six minutes after all that is stored is enough, a millisecond less is not', async () => {
    const newest = await makeIntent({ atMs: epochMs(NOW - HOUR_MS), finished: true });
    await store(database.client, newest.stored);
    // Keys are minted up to five minutes ahead, by clocks a minute off.
    const floorMs = Math.max(NOW - HOUR_MS, restoredTo.restoredToMs) + 6 * 60_000;
    const at = (ms: number) => ({ ADMIT_NOT_BEFORE: new Date(ms).toISOString() });

    const enough = await audit({ restoredTo, environment: at(floorMs) });
    const early = await audit({ restoredTo, environment: at(floorMs - 1) });

    expect(enough.violations).toEqual([]);
    expect(enough.restore?.floor).toContain('ADMIT_NOT_BEFORE is');
    expect(codesOf(early)).toEqual(['floor-missing']);
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
