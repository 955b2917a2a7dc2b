// The numbered guarantees of the commit port, over every adapter: DynamoDB, and the simulated store on
// which the properties over time are checked.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportJobEffect } from '#export-jobs/create-port.ts';
import { wire } from '#handlers/wiring.ts';
import type { CommitPort, SendOptions } from '#idempotency/commit-port.ts';
import { epochMs } from '#idempotency/epoch.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { recordLife } from '#idempotency/retention.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { keyOf, POLICY } from '#test/support/idempotency-fixtures.ts';
import { connectionOf, serviceEnvironment } from '#test/support/service.ts';
import { simulatedStore } from '#test/support/simulated-store.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const READ = { consistent: true, timeoutMs: 2_000 };
const options = (token: string = randomUUID(), maySend = () => true): SendOptions => ({
  token,
  maySend,
  afterUnknown: false,
  timeoutMs: 2_000,
});

function recordOf(recordKey: string, attemptId = randomUUID()): CommittedRecord {
  const now = epochMs(Date.now());
  return {
    state: 'committed',
    recordKey,
    attemptId,
    committedAtMs: now,
    ...recordLife(keyOf('k'), now, POLICY),
    fingerprint: { whole: 'v1:hash', members: { format: 'digest' } },
    receipt: Buffer.from('{"id":"receipt"}'),
    resourceId: attemptId,
  };
}

function effectOf(record: CommittedRecord, claimKey?: string): ExportJobEffect {
  return {
    job: {
      owner: 'owner',
      jobId: record.resourceId,
      status: 'queued',
      idempotencyKey: 'k',
      format: 'text',
      language: 'und',
      articleCount: 1,
      articleIds: ['a-1'],
      createdAtMs: record.committedAtMs,
      progressDone: 0,
      run: 0,
      keyPurgeAtSeconds: record.purgeAtSeconds,
    },
    ...(claimKey !== undefined && { claimKey }),
  };
}

type Subject = { readonly port: CommitPort<ExportJobEffect>; readonly end: () => Promise<void> };

const ADAPTERS: Record<string, () => Promise<Subject>> = {
  DynamoDB: async () => {
    const database = await freshDatabase();
    const { commits, dynamoDb } = wire({
      environment: serviceEnvironment(database),
      connection: connectionOf(database),
      log: testLog,
      signals: noSignals,
    });
    return { port: commits, end: async () => dynamoDb.destroy() };
  },
  'the simulated store': async () => {
    const store = simulatedStore(
      () => Date.now(),
      () => ({ afterMs: 0, heard: true }),
      () => 0,
    );
    return { port: store as unknown as CommitPort<ExportJobEffect>, end: async () => undefined };
  },
};

describe.each(Object.keys(ADAPTERS))('the commit port on %s', (name) => {
  let subject: Subject;
  beforeAll(async () => {
    const start = ADAPTERS[name];
    if (!start) throw new Error(name);
    subject = await start();
  });
  afterAll(() => subject.end());

  it('2. stores a record where none is, and gives back the one that stands there', async () => {
    const first = recordOf('two');
    const second = recordOf('two');

    const put = await subject.port.prepare(first, effectOf(first)).send(options());
    const again = await subject.port.prepare(second, effectOf(second)).send(options());

    expect(put).toEqual({ kind: 'committed' });
    expect(again).toMatchObject({ kind: 'record-exists', record: { attemptId: first.attemptId } });
  });

  it('2. does not take over a record that is past its expiry', async () => {
    const expired = { ...recordOf('expired'), expiresAtMs: epochMs(Date.now() - 1_000) };
    await subject.port.prepare(expired, effectOf(expired)).send(options());
    const later = recordOf('expired');

    const again = await subject.port.prepare(later, effectOf(later)).send(options());

    expect(again).toMatchObject({
      kind: 'record-exists',
      record: { attemptId: expired.attemptId },
    });
  });

  it('5. sends nothing once maySend says no', async () => {
    const record = recordOf('five');

    const refused = await subject.port
      .prepare(record, effectOf(record))
      .send(options(randomUUID(), () => false));

    expect(refused).toEqual({ kind: 'not-applied', why: 'not-sent' });
    expect(await subject.port.readRecord('five', READ)).toEqual({ kind: 'none' });
  });

  it('7. reads what was acknowledged, as it was written', async () => {
    const record = recordOf('seven');
    await subject.port.prepare(record, effectOf(record)).send(options());

    const read = await subject.port.readRecord('seven', READ);

    expect(read).toMatchObject({ kind: 'found' });
    if (read.kind === 'found' && read.value.state === 'committed') {
      const { receipt, ...rest } = read.value;
      const { receipt: sent, ...expected } = record;
      expect(rest).toEqual(expected);
      expect(Buffer.from(receipt)).toEqual(Buffer.from(sent));
    }
    expect(await subject.port.readRecord('nobody', READ)).toEqual({ kind: 'none' });
  });
});

describe('the commit port on DynamoDB alone', () => {
  let database: Database;
  let proxy: WireProxy;
  let wired: ReturnType<typeof wire>;
  beforeAll(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    wired = wire({
      environment: serviceEnvironment(database),
      connection: connectionOf(database, proxy.endpoint),
      log: testLog,
      signals: noSignals,
    });
  });
  afterAll(async () => {
    wired.dynamoDb.destroy();
    await proxy.close();
  });

  it('1. stores record, job and claim or none of them', async () => {
    const first = recordOf('one');
    const second = recordOf('one-more');
    await wired.commits.prepare(first, effectOf(first, 'claim')).send(options());

    const refused = await wired.commits.prepare(second, effectOf(second, 'claim')).send(options());

    expect(refused).toMatchObject({
      kind: 'claim-taken',
      claim: { recordKey: 'one', resourceId: first.resourceId },
    });
    expect(await itemsOf(database, 'IdempotencyKeys')).toHaveLength(1);
    expect(await itemsOf(database, 'ExportJobs')).toHaveLength(1);
    expect(await wired.commits.readClaim(effectOf(second, 'claim'), READ)).toMatchObject({
      kind: 'found',
      value: { resourceId: first.resourceId },
    });
    expect(await wired.commits.readClaim(effectOf(second), READ)).toEqual({ kind: 'none' });
  });

  it('3. and 4. is one request a send, the same bytes each time; with one token they are one write', async () => {
    const record = recordOf('three');
    const prepared = wired.commits.prepare(record, effectOf(record));
    proxy.clear();

    const sent = await prepared.send(options('token-1'));
    const again = await prepared.send(options('token-1'));

    expect([sent, again]).toEqual([{ kind: 'committed' }, { kind: 'committed' }]);
    const [first, second] = proxy.requests;
    expect(proxy.requests).toHaveLength(2);
    expect(second?.bodyText).toBe(first?.bodyText);
    expect(first?.body.TransactItems.map((action: object) => Object.keys(action))).toEqual([
      ['Put'],
      ['Put'],
    ]);
    for (const { Put } of first?.body.TransactItems ?? []) {
      expect(Put.ConditionExpression).toMatch(/^attribute_not_exists\((pk|jobId)\)$/);
    }
  });

  it('refuses at the table what does not fit: a record over 1 KB, a TTL in milliseconds', () => {
    const record = recordOf('large');

    expect(() =>
      wired.commits.prepare({ ...record, receipt: Buffer.alloc(1024) }, effectOf(record)),
    ).toThrow(/over 1024/);
    expect(() =>
      wired.commits.prepare(
        { ...record, purgeAtSeconds: (record.purgeAtSeconds * 1000) as never },
        effectOf(record),
      ),
    ).toThrow(/purgeAtSeconds/);
    expect(() =>
      wired.commits.prepare(
        { ...record, purgeAtSeconds: Math.floor(record.purgeAtSeconds / 1000) as never },
        effectOf(record),
      ),
    ).toThrow(/purgeAtSeconds/);
  });
});
