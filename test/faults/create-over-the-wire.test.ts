// Every row of the commit-once table, entered through the wire: the real SDK and DynamoDB Local, with
// the answers in between that Local never gives. The effect is counted in the tables.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { type Service, startService } from '#test/support/service.ts';
import { itemsOf, type StoredItem } from '#test/support/table-contents.ts';
import {
  blackhole,
  canned,
  drip,
  dropReply,
  forwardTwice,
  gate,
  half,
  holdRequest,
  replaceReply,
  reset,
  stallAfterHeaders,
  truncateReply,
} from '#test/support/wire-actions.ts';
import { type Action, startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import {
  awsError,
  htmlReply,
  internalServerError,
  jsonReply,
  throttled,
  transactionCancelled,
  transactionInProgress,
} from '#test/support/wire-replies.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };
const WITH_BATCH = (batch: string) => ({ ...BODY, sourceBatchId: batch });
const WRITE = { target: 'TransactWriteItems' };
const READ = { target: 'GetItem' };

/** Short times, so that a fault does not take the eight seconds that a caller would wait. */
const QUICK = {
  CREATE_BUDGET_MS: '2500',
  STORE_TRY_TIMEOUT_MS: '250',
  STORE_BACKOFF_BASE_MS: '4',
  STORE_BACKOFF_CAP_MS: '20',
  LOOK_UP_RESERVE_MS: '400',
  STORE_TRIES_MAX: '4',
};

let proxy: WireProxy;
let service: Service;
let number = 0;
let key = '';

beforeAll(async () => {
  const database = await freshDatabase();
  proxy = await startWireProxy(database.connection.endpoint);
  service = await startService({ database, endpoint: proxy.endpoint, environment: QUICK });
});
afterAll(async () => {
  service.close();
  await proxy.close();
});
beforeEach(() => {
  proxy.clear();
  number += 1;
  key = `intent-${number}`;
});

const jobsOfKey = async (): Promise<StoredItem[]> =>
  (await itemsOf(service.database, 'ExportJobs')).filter(
    ({ idempotencyKey }) => idempotencyKey === key,
  );
const writes = () => proxy.requests.filter(({ target }) => target === WRITE.target);
const recordOfWrite = (nth: number): StoredItem => writes()[nth]?.body.TransactItems[0].Put.Item;

async function expectOneJob(id: string): Promise<void> {
  expect((await jobsOfKey()).map(({ jobId }) => jobId)).toEqual([id]);
}

describe('a first try that certainly wrote nothing', () => {
  it.each<[string, Action]>([
    ['a throttle of the call', canned(throttled())],
    [
      'a provisioned throughput exceeded',
      canned(awsError('ProvisionedThroughputExceededException')),
    ],
    ['a conflict on the record', canned(transactionCancelled('TransactionConflict', 'None'))],
    [
      'a conflict only in the second reason',
      canned(transactionCancelled('None', 'TransactionConflict')),
    ],
    ['a throttle among the reasons', canned(transactionCancelled('None', 'ThrottlingError'))],
    [
      'throughput among the reasons',
      canned(transactionCancelled('ProvisionedThroughputExceeded', 'None')),
    ],
  ])('is tried again with a new token: %s', async (_, fault) => {
    const rule = proxy.rule({ ...WRITE, nth: 1 }, fault);

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(202);
    expect(answer.headers['idempotent-replayed']).toBe('false');
    await expectOneJob(answer.body.id);
    const [first, second] = writes();
    expect(second?.token).not.toBe(first?.token);
    expect(first?.token?.length).toBeLessThanOrEqual(36);
    expect(first?.token).not.toContain(key);
  });

  it('is told as store-unavailable when it stays so, and nothing is written', async () => {
    const rule = proxy.rule(WRITE, canned(throttled()));

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(4);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      code: 'store-unavailable',
      executed: 'no',
      intent: 'unknown',
      retry: 'same-key',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await jobsOfKey()).toEqual([]);
  });

  it('is told as store-unavailable when the store refuses connections', async () => {
    const refusing = await startWireProxy(service.database.connection.endpoint);
    await refusing.close();
    const cut = await startService({
      database: service.database,
      endpoint: refusing.endpoint,
      environment: QUICK,
    });

    const answer = await cut.create(key, BODY);
    cut.close();

    expect(answer.body).toMatchObject({ code: 'store-unavailable', executed: 'no' });
    const retried = await service.create(key, BODY);
    expect(retried.status).toBe(202);
  });

  it.each([
    'ValidationException',
    'ResourceNotFoundException',
    'AccessDeniedException',
    'ExpiredTokenException',
  ])('is not tried again when trying cannot help: %s', async (name) => {
    const rule = proxy.rule(WRITE, canned(awsError(name)));

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.body).toMatchObject({ code: 'store-unavailable', executed: 'no' });
    expect(answer.text).not.toContain(name);
  });
});

describe('a first try of unknown outcome', () => {
  it.each<[string, Action, 'applied' | 'not applied']>([
    ['reset before DynamoDB has it', reset(), 'not applied'],
    ['half of it sent', half(), 'not applied'],
    ['no answer at all', blackhole(), 'not applied'],
    ['a transaction in progress', canned(transactionInProgress()), 'not applied'],
    ['an error of a name nobody knows', canned(awsError('SomethingNewException')), 'not applied'],
    [
      'a parameter mismatch',
      canned(awsError('IdempotentParameterMismatchException')),
      'not applied',
    ],
    [
      'a cancellation for a reason nobody knows',
      canned(transactionCancelled('SomethingNew', 'None')),
      'not applied',
    ],
    [
      'a cancellation without reasons',
      canned(awsError('TransactionCanceledException')),
      'not applied',
    ],
    [
      'a cancellation of one reason too few',
      canned(transactionCancelled('TransactionConflict')),
      'not applied',
    ],
    ['a server error', canned(internalServerError()), 'not applied'],
    ['a page of HTML with status 200', canned(htmlReply(200)), 'not applied'],
    ['an empty object', canned(jsonReply(200, {})), 'not applied'],
    ['reset after the commit', dropReply(), 'applied'],
    ['an answer cut off', truncateReply(20), 'applied'],
    ['headers and then nothing', stallAfterHeaders(), 'applied'],
    ['an answer that drips', drip(4, 40), 'applied'],
    ['a server error after the commit', replaceReply(internalServerError()), 'applied'],
    ['a bad gateway after the commit', replaceReply(htmlReply(502)), 'applied'],
    ['HTML after the commit', replaceReply(htmlReply(200)), 'applied'],
    [
      'a throttle made of a commit, with status 500',
      replaceReply(awsError('ThrottlingException', 500)),
      'applied',
    ],
  ])('is sent again, the same token and the same bytes: %s', async (_, fault) => {
    const rule = proxy.rule({ ...WRITE, nth: 1 }, fault);

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(202);
    expect(answer.headers['idempotent-replayed']).toBe('false');
    await expectOneJob(answer.body.id);
    const [first, second] = writes();
    expect(second?.bodyText).toBe(first?.bodyText);
  });

  it('is one job when the wire delivers it twice', async () => {
    const rule = proxy.rule({ ...WRITE, nth: 1 }, forwardTwice());

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(202);
    await expectOneJob(answer.body.id);
  });

  it.each<[string, Action]>([
    ['throttles', canned(throttled())],
    ['conflicts', canned(transactionCancelled('TransactionConflict', 'None'))],
    ['a validation error', canned(awsError('ValidationException'))],
    ['lost answers', reset()],
  ])('stays unknown over later %s, and is settled by a consistent read', async (_, later) => {
    const lost = proxy.rule({ ...WRITE, nth: 1 }, dropReply());
    const masked = proxy.rule(WRITE, later);

    const answer = await service.create(key, BODY);

    expect(lost.fired).toBe(1);
    expect(masked.fired).toBeGreaterThanOrEqual(1);
    expect(answer.status).toBe(202);
    expect(answer.headers['idempotent-replayed']).toBe('false');
    await expectOneJob(answer.body.id);
    const reads = proxy.requests.filter(({ target }) => target === READ.target);
    expect(reads).toHaveLength(1);
    expect(reads[0]?.body.ConsistentRead).toBe(true);
  });

  it.each<[string, Action, number]>([
    ['was applied and the read fails', dropReply(), 1],
    ['was not applied', reset(), 0],
  ])('is told as outcome-unknown when it %s; a retry settles it', async (_, fault, stored) => {
    proxy.rule({ ...WRITE, nth: 1 }, fault);
    proxy.rule(WRITE, canned(throttled()));
    if (stored) proxy.rule(READ, canned(internalServerError()));

    const answer = await service.create(key, BODY);

    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      code: 'outcome-unknown',
      executed: 'unknown',
      intent: 'unknown',
      retry: 'same-key',
      idempotencyKey: key,
    });
    expect(await jobsOfKey()).toHaveLength(stored);
    proxy.clear();
    const retried = await service.create(key, BODY);
    expect(retried.status).toBe(202);
    expect(retried.headers['idempotent-replayed']).toBe(stored ? 'true' : 'false');
    await expectOneJob(retried.body.id);
  });

  it('goes through when a transaction in progress ends in time', async () => {
    const rule = proxy.rule({ ...WRITE, nth: [1, 2, 3] }, canned(transactionInProgress()));

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(3);
    expect(answer.status).toBe(202);
  });
});

describe('a write that lands late', () => {
  it('is the one job when it lands after its caller was told that nothing is known', async () => {
    const late = gate();
    proxy.rule({ ...WRITE, nth: 1 }, holdRequest(late));
    proxy.rule(WRITE, canned(throttled()));
    const unknown = await service.create(key, BODY);
    expect(unknown.body.code).toBe('outcome-unknown');

    const landed = proxyForwarded(proxy);
    late.open();
    await landed;
    proxy.clear();

    const retried = await service.create(key, BODY);
    expect(retried.status).toBe(202);
    expect(retried.headers['idempotent-replayed']).toBe('true');
    await expectOneJob(retried.body.id);
  });

  it('changes nothing when it lands after the retry made the job', async () => {
    const late = gate();
    proxy.rule({ ...WRITE, nth: 1 }, holdRequest(late));
    proxy.rule({ ...WRITE, nth: [2, 3, 4] }, canned(throttled()));
    const unknown = await service.create(key, BODY);
    expect(unknown.body.code).toBe('outcome-unknown');
    const retried = await service.create(key, BODY);
    expect(retried.headers['idempotent-replayed']).toBe('false');

    const landed = proxyForwarded(proxy);
    late.open();
    await landed;

    await expectOneJob(retried.body.id);
    const replay = await service.create(key, BODY);
    expect(replay.text).toBe(retried.text);
  });
});

describe('a record in the way', () => {
  /** The record of the first write, in wire form. */
  const stored = async () => {
    const records = await itemsOf(service.database, 'IdempotencyKeys');
    const mine = records.find(({ attemptId }) => attemptId === recordOfWrite(0).attemptId.S);
    const item = marshall(mine as StoredItem);
    const receipt = Buffer.from(item.receipt?.B ?? []).toString('base64');
    return { ...item, receipt: { B: receipt } } as Record<string, { S?: string; B?: string }>;
  };

  it('that this very attempt wrote means created', async () => {
    proxy.rule({ ...WRITE, nth: 1 }, dropReply());
    const second = proxy.rule({ ...WRITE, nth: 2 }, async (exchange) => {
      const Item = await stored();
      exchange.reply(
        transactionCancelled({ Code: 'ConditionalCheckFailed', Item } as never, 'None'),
      );
    });

    const answer = await service.create(key, BODY);

    expect(second.fired).toBe(1);
    expect(answer.headers['idempotent-replayed']).toBe('false');
    await expectOneJob(answer.body.id);
  });

  it('decides also beside a conflict in another reason', async () => {
    const first = await service.create(key, BODY);
    const Item = await stored();
    proxy.rule(
      WRITE,
      canned(
        transactionCancelled(
          { Code: 'ConditionalCheckFailed', Item } as never,
          'TransactionConflict',
        ),
      ),
    );

    expect((await service.create(key, BODY)).text).toBe(first.text);
  });

  it('that comes without its item is read, consistently', async () => {
    const first = await service.create(key, BODY);
    proxy.clear();
    proxy.rule(WRITE, canned(transactionCancelled('ConditionalCheckFailed', 'None')));

    const replay = await service.create(key, BODY);

    expect(replay.text).toBe(first.text);
    expect(proxy.requests.map(({ target, body }) => [target, body.ConsistentRead])).toEqual([
      ['TransactWriteItems', undefined],
      ['GetItem', true],
    ]);
  });

  it('that TTL removes before it can be read is gone: an opaque key is new again', async () => {
    const first = await service.create(key, BODY);
    const { pk } = await stored();
    proxy.clear();
    const rule = proxy.rule({ ...WRITE, nth: 1 }, async (exchange) => {
      await service.database.client.send(
        new DeleteItemCommand({ TableName: 'IdempotencyKeys', Key: { pk: pk as never } }),
      );
      exchange.reply(transactionCancelled('ConditionalCheckFailed', 'None'));
    });

    const answer = await service.create(key, BODY);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(202);
    expect(answer.body.id).not.toBe(first.body.id);
  });

  it('that does not parse is a fault of ours, never guessed at', async () => {
    await service.create(key, BODY);
    const { receipt, ...Item } = await stored();
    expect(receipt).toBeDefined();
    proxy.rule(
      WRITE,
      canned(transactionCancelled({ Code: 'ConditionalCheckFailed', Item } as never, 'None')),
    );

    const answer = await service.create(key, BODY);

    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'internal-error', executed: 'unknown' });
    expect(answer.text).not.toMatch(/receipt|StoreFault|at \//);
  });
});

describe('a source batch in the way', () => {
  it('is a retry, not a taken batch, when the record itself was in conflict', async () => {
    const rule = proxy.rule(
      { ...WRITE, nth: 1 },
      canned(transactionCancelled('TransactionConflict', 'None', 'ConditionalCheckFailed')),
    );

    const answer = await service.create(key, WITH_BATCH(`batch-${number}`));

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(202);
    await expectOneJob(answer.body.id);
  });

  it('that this very key claimed names its job when the record is gone', async () => {
    const body = WITH_BATCH(`batch-${number}`);
    const first = await service.create(key, body);
    const { pk } = recordOfWrite(0);
    await service.database.client.send(
      new DeleteItemCommand({ TableName: 'IdempotencyKeys', Key: { pk } }),
    );

    const answer = await service.create(key, body);

    expect(answer.status).toBe(412);
    expect(answer.body).toMatchObject({
      code: 'idempotency-key-expired',
      executed: 'no',
      intent: 'committed',
      job: { id: first.body.id },
    });
    await expectOneJob(first.body.id);
  });

  it('that comes without its item is read', async () => {
    const body = WITH_BATCH(`batch-${number}`);
    const first = await service.create(`${key}-other`, body);
    proxy.rule(WRITE, canned(transactionCancelled('None', 'None', 'ConditionalCheckFailed')));

    const answer = await service.create(key, body);

    expect(answer.body).toMatchObject({ code: 'source-batch-taken', job: { id: first.body.id } });
  });
});

/** The next request that DynamoDB answers. */
function proxyForwarded(wire: WireProxy): Promise<void> {
  const before = wire.requests.filter(({ status }) => status !== undefined).length;
  return (async () => {
    while (wire.requests.filter(({ status }) => status !== undefined).length <= before) {
      await new Promise((done) => setImmediate(done));
    }
  })();
}
