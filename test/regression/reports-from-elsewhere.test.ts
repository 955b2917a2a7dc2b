// What people reported against other idempotency layers, each as a test of this one. The faults were
// theirs; none of them may ever become ours.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createExportJob } from '#export-jobs/create-export-job.ts';
import { wire } from '#handlers/wiring.ts';
import { realWorld } from '#handlers/world.ts';
import { pathsBelow } from '#http/paths.ts';
import { receiptMaker } from '#http/receipt.ts';
import { commitOnce } from '#idempotency/commit-once.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { fingerprintOf } from '#idempotency/fingerprint.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import { recordLife } from '#idempotency/retention.ts';
import { operationName, recordKeyOf } from '#idempotency/scope.ts';
import { freshDatabase } from '#test/support/dynamodb.ts';
import {
  connectionOf,
  type Service,
  serviceEnvironment,
  startService,
} from '#test/support/service.ts';
import { itemsOf, jobsOf } from '#test/support/table-contents.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { triesOn } from '#test/support/tries.ts';
import { canned, dropReply } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { transactionCancelled } from '#test/support/wire-replies.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };

describe('reports from elsewhere', () => {
  let proxy: WireProxy;
  let service: Service;
  let nowMs: () => number = Date.now;
  let number = 0;
  let key = '';

  beforeAll(async () => {
    const database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    service = await startService({
      database,
      endpoint: proxy.endpoint,
      world: { nowMs: () => nowMs() },
    });
  });
  afterAll(async () => {
    service.close();
    await proxy.close();
  });
  beforeEach(() => {
    proxy.clear();
    nowMs = Date.now;
    number += 1;
    key = `report-${number}`;
  });
  const jobsOfKey = async () =>
    (await jobsOf(service.database)).filter(({ idempotencyKey }) => idempotencyKey === key);

  it.each([
    ['through the failed write', {}],
    ['through the read before the write', { 'x-request-attempt': '3' }],
  ])('parameters are compared on every path and not only the first: %s', async (_, headers) => {
    await service.create(key, BODY);

    const changed = await service.create(key, { ...BODY, format: 'html' }, { headers });

    expect(changed.body.code).toBe('idempotency-key-reused');
  });

  it('parameters are compared after an unknown outcome, too', async () => {
    await service.create(key, BODY);
    proxy.rule({ target: 'TransactWriteItems', nth: 1 }, dropReply());

    const changed = await service.create(key, { ...BODY, format: 'html' });

    expect(changed.body.code).toBe('idempotency-key-reused');
  });

  it('member order is no other request', async () => {
    const first = await service.create(key, '{"articleIds":["a-1"],"format":"text"}');
    const again = await service.create(key, '{"format":"text",\n"articleIds":["a-1"]}');

    expect(again.text).toBe(first.text);
  });

  it.each([
    ['a member whose name differs in case', { ...BODY, Format: 'text' }],
    [
      'a member named __proto__',
      '{"articleIds":["a-1"],"format":"text","__proto__":{"admin":true}}',
    ],
    ['a member named constructor', { ...BODY, constructor: {} }],
  ])('%s is not quietly dropped', async (_, body) => {
    await service.create(key, BODY);

    const answer = await service.create(key, body);

    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('validation-failed');
  });

  it('a number past 2^53 is not taken for the text that it was sent as', async () => {
    const asText = await service.create(key, { ...BODY, sourceBatchId: '9007199254740993' });
    const asNumber = await service.create(
      key,
      '{"articleIds":["a-1"],"format":"text","sourceBatchId":9007199254740993}',
    );
    const neighbour = await service.create(`${key}-2`, {
      ...BODY,
      sourceBatchId: '9007199254740992',
    });

    expect(asText.status).toBe(202);
    expect(asNumber.body.code).toBe('validation-failed');
    expect(neighbour.status).toBe(202);
    expect(neighbour.body.id).not.toBe(asText.body.id);
  });

  it('a receipt of falsy and empty values is replayed intact', async () => {
    const { commits, edge, dynamoDb } = wired();
    const receipts = ['null', '0', 'false', '""', '[]', '{}', ' '].map((text) => Buffer.from(text));
    for (const [index, receipt] of receipts.entries()) {
      const run = () => commit(`falsy-${index}`, receipt);
      const first = await run();
      const again = await run();

      expect(first.kind).toBe('created');
      expect(again).toMatchObject({ kind: 'replayed' });
      if (again.kind === 'replayed') expect(Buffer.from(again.record.receipt)).toEqual(receipt);
    }
    dynamoDb.destroy();

    function commit(name: string, receipt: Uint8Array) {
      const idempotencyKey = parseIdempotencyKey(name);
      const fingerprint = fingerprintOf({}, name);
      if (!idempotencyKey || !fingerprint) throw new Error('a sound key and body');
      const now = epochMs(Date.now());
      const jobId = realWorld.newJobId(now);
      const life = recordLife(idempotencyKey, now, edge.config.retention);
      return commitOnce(
        {
          key: idempotencyKey,
          record: {
            state: 'committed',
            recordKey: name,
            attemptId: jobId,
            committedAtMs: now,
            ...life,
            fingerprint,
            receipt,
            resourceId: jobId,
          },
          effect: {
            job: {
              owner: 'owner',
              jobId,
              status: 'queued',
              idempotencyKey: name,
              format: 'text',
              language: 'und',
              articleCount: 1,
              articleIds: ['a'],
              createdAtMs: now,
              progressDone: 0,
              run: 0,
              keyPurgeAtSeconds: life.purgeAtSeconds,
            },
          },
        },
        commits,
        attemptOf(edge),
      );
    }
  });

  it('the record of one caller never answers another', async () => {
    const alice = await service.create(key, BODY, { subject: 'alice' });
    const others = await Promise.all(
      ['bob', 'alice ', 'Alice', 'alice\u0000'].map((subject) =>
        service.create(key, BODY, { subject }),
      ),
    );

    for (const other of others) {
      expect(other.headers['idempotent-replayed']).toBe('false');
      expect(other.text).not.toContain(alice.body.id);
    }
  });

  it('the same key on two operations is two intents', async () => {
    const { commits, edge, dynamoDb } = wired();
    const principal = { issuer: 'https://issuer.test', subject: 'alice' };
    const idempotencyKey = parseIdempotencyKey(key);
    const fingerprint = fingerprintOf(BODY, 'other');
    if (!idempotencyKey || !fingerprint) throw new Error('a sound key and body');
    const made = await service.create(key, BODY);

    const other = await createExportJob(
      {
        principal,
        key: idempotencyKey,
        recordKey: recordKeyOf(principal, operationName('another-operation'), key),
        fingerprint,
        params: { ...BODY, format: 'text' },
        receiptOf,
      },
      commits,
      attemptOf(edge),
    );
    dynamoDb.destroy();

    expect(other.kind).toBe('created');
    expect((await jobsOfKey()).map(({ jobId }) => jobId)).toContain(made.body.id);
    expect(await jobsOfKey()).toHaveLength(2);
  });

  it('an expired record that TTL has not removed yet is not taken over', async () => {
    const made = await service.create(key, BODY);
    nowMs = () => Date.now() + 25 * 3_600_000;

    const late = await service.create(key, BODY);

    expect(late.status).toBe(412);
    expect(late.body.job.id).toBe(made.body.id);
    expect(await jobsOfKey()).toHaveLength(1);
  });

  it('the TTL attribute is in seconds, and every other instant says that it is in milliseconds', async () => {
    await service.create(key, BODY);

    for (const table of ['IdempotencyKeys', 'ExportJobs']) {
      for (const item of await itemsOf(service.database, table)) {
        for (const [name, value] of Object.entries(item)) {
          if (/Seconds$/.test(name)) expect(value).toBeLessThan(9_999_999_999);
          if (/Ms$/.test(name)) expect(value).toBeGreaterThan(1_000_000_000_000);
        }
      }
    }
  });

  it("a conditional check that failed on one's own first write is success", async () => {
    proxy.rule({ target: 'TransactWriteItems', nth: 1 }, dropReply());
    proxy.rule(
      { target: 'TransactWriteItems', nth: 2 },
      canned(transactionCancelled('ConditionalCheckFailed', 'None')),
    );

    const answer = await service.create(key, BODY);

    expect(answer.status).toBe(202);
    expect(answer.headers['idempotent-replayed']).toBe('false');
    expect((await jobsOfKey()).map(({ jobId }) => jobId)).toEqual([answer.body.id]);
  });

  it('a conflict only in the second reason is a retry, and reasons without items are read', async () => {
    const made = await service.create(key, BODY);
    proxy.rule(
      { target: 'TransactWriteItems', nth: 1 },
      canned(transactionCancelled('None', 'TransactionConflict')),
    );
    proxy.rule(
      { target: 'TransactWriteItems', nth: 2 },
      canned(transactionCancelled('ConditionalCheckFailed', 'None')),
    );

    const replay = await service.create(key, BODY);

    expect(replay.text).toBe(made.text);
  });

  it('what is written is what was hashed, even when a request object is changed meanwhile', async () => {
    const { commits, edge, dynamoDb } = wired();
    const principal = { issuer: 'https://issuer.test', subject: 'mallory' };
    const idempotencyKey = parseIdempotencyKey(key);
    const articleIds = ['a-1'];
    const fingerprint = fingerprintOf({ articleIds }, 'hashed');
    if (!idempotencyKey || !fingerprint) throw new Error('a sound key and body');
    proxy.rule({ target: 'TransactWriteItems', nth: 1 }, async (exchange) => {
      articleIds[0] = 'changed';
      exchange.reset();
    });

    const outcome = await createExportJob(
      {
        principal,
        key: idempotencyKey,
        recordKey: recordKeyOf(principal, operationName('create-export-job'), key),
        fingerprint,
        params: { articleIds, format: 'text' },
        receiptOf,
      },
      commits,
      attemptOf(edge),
    );
    dynamoDb.destroy();

    expect(outcome.kind).toBe('created');
    const [first, second] = proxy.requests;
    expect(second?.bodyText).toBe(first?.bodyText);
    expect((await jobsOfKey())[0]?.articleIds).toEqual(['a-1']);
  });

  it('a replay keeps its status, body and Location after the job itself is gone', async () => {
    const made = await service.create(key, BODY);
    const [job] = await jobsOfKey();
    await service.database.client.send(
      new DeleteItemCommand({
        TableName: 'ExportJobs',
        Key: { owner: { S: job?.owner }, jobId: { S: job?.jobId } },
      }),
    );

    const replay = await service.create(key, BODY);

    expect(replay.status).toBe(made.status);
    expect(replay.text).toBe(made.text);
    expect(replay.headers.location).toBe(made.headers.location);
    expect(replay.headers['idempotency-expires']).toBe(made.headers['idempotency-expires']);
    expect(await jobsOfKey()).toEqual([]);
  });

  it('a rule that grew stricter between the first try and the retry does not refuse the retry', async () => {
    // A laxer release took this body; this one does not know its format.
    const laxer = { articleIds: ['a-1'], format: 'pdf' };
    const { commits, edge, dynamoDb } = wired();
    const principal = { issuer: 'https://issuer.test', subject: 'alice' };
    const idempotencyKey = parseIdempotencyKey(key);
    const recordKey = recordKeyOf(principal, operationName('create-export-job'), key);
    const fingerprint = fingerprintOf(laxer, recordKey);
    if (!idempotencyKey || !fingerprint) throw new Error('a sound key and body');
    const params = { articleIds: ['a-1'], format: 'text' as const };
    const intent = { principal, key: idempotencyKey, recordKey, fingerprint, params, receiptOf };
    const accepted = await createExportJob(intent, commits, attemptOf(edge));
    dynamoDb.destroy();
    proxy.clear();

    const retry = await service.create(key, laxer);
    const changed = await service.create(key, { ...laxer, title: 'other' });

    expect(accepted.kind).toBe('created');
    expect(retry.status).toBe(202);
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect(changed.status).toBe(400);
    expect(proxy.requests.map(({ target, body }) => [target, body.ConsistentRead])).toEqual([
      ['GetItem', true],
      ['GetItem', true],
    ]);
  });

  function wired() {
    return wire({
      environment: serviceEnvironment(service.database),
      connection: connectionOf(service.database, proxy.endpoint),
      log: testLog,
      signals: noSignals,
    });
  }
});

const receiptOf = receiptMaker(pathsBelow(''));

/** An attempt as the edge would start it, with time enough. */
function attemptOf({ config }: ReturnType<typeof wire>['edge']) {
  const clock = { nowMs: () => epochMs(Date.now()), monotonicMs: () => performance.now() };
  const { newToken, random, sleepMs } = realWorld;
  return {
    tries: triesOn(clock, { policy: config.tries, newToken, random, sleepMs }),
    retention: config.retention,
    readFirst: false,
    attemptHint: 1,
    newAttemptId: newToken,
    newJobId: realWorld.newJobId,
  };
}
