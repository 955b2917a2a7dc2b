import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import {
  applied,
  beforeForward,
  blackhole,
  canned,
  delay,
  drip,
  dropReply,
  forwardTwice,
  gate,
  half,
  holdReply,
  holdRequest,
  replaceReply,
  reset,
  stallAfterHeaders,
  truncateReply,
} from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { htmlReply, throttled, transactionCancelled } from '#test/support/wire-replies.ts';

const TableName = 'BusinessKeys';

describe('wire proxy', () => {
  let database: Database;
  let proxy: WireProxy;
  let client: DynamoDBClient;

  beforeEach(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    client = new DynamoDBClient({
      ...database.connection,
      endpoint: proxy.endpoint,
      maxAttempts: 1,
    });
  });
  afterEach(async () => {
    client.destroy();
    await proxy.close();
  });

  const put = (pk: string, abortSignal?: AbortSignal) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { pk: { S: pk } },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnConsumedCapacity: 'TOTAL',
      }),
      abortSignal === undefined ? {} : { abortSignal },
    );
  const transact = (pk: string, token: string) =>
    client.send(
      new TransactWriteItemsCommand({
        ClientRequestToken: token,
        ReturnConsumedCapacity: 'TOTAL',
        TransactItems: [
          { Put: { TableName, Item: { pk: { S: pk } } } },
          { Put: { TableName: 'IdempotencyKeys', Item: { pk: { S: pk } } } },
        ],
      }),
    );
  const stored = async (pk: string) =>
    (
      await database.client.send(
        new GetItemCommand({ TableName, Key: { pk: { S: pk } }, ConsistentRead: true }),
      )
    ).Item !== undefined;
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'no error',
      (error: Error & { code?: string }) => error.code ?? error.name,
    );

  describe('without a rule', () => {
    it('writes down target, tables, token, bodies and capacity and changes nothing', async () => {
      await transact('a', 'token-1');

      expect(await stored('a')).toBe(true);
      expect(proxy.requests).toHaveLength(1);
      expect(proxy.requests[0]).toMatchObject({
        index: 1,
        service: 'DynamoDB',
        target: 'TransactWriteItems',
        tables: ['BusinessKeys', 'IdempotencyKeys'],
        token: 'token-1',
        body: { ClientRequestToken: 'token-1' },
        forwarded: 1,
        status: 200,
        capacityUnits: 4,
        unanswered: false,
      });
    });

    it('passes an error of DynamoDB on', async () => {
      await put('a');

      expect(await errorOf(put('a'))).toBe('ConditionalCheckFailedException');
      expect(proxy.requests[1]).toMatchObject({ status: 400, forwarded: 1 });
    });

    it('counts by target, table and predicate', async () => {
      await put('a');
      await transact('b', 'token-1');

      expect(proxy.count()).toBe(2);
      expect(proxy.count({ target: 'PutItem' })).toBe(1);
      expect(proxy.count({ table: 'IdempotencyKeys' })).toBe(1);
      expect(proxy.count({ token: 'token-1' })).toBe(1);
      expect(proxy.count({ where: ({ body }) => body.Item?.pk.S === 'a' })).toBe(1);
    });

    it('forgets rules and requests when cleared', async () => {
      proxy.rule({}, reset());
      await errorOf(put('a'));

      proxy.clear();
      await put('a');

      expect(proxy.count()).toBe(1);
    });
  });

  describe('before DynamoDB has the request', () => {
    it.each([
      ['a reset', reset()],
      ['half a request', half()],
    ])('%s reaches nothing and breaks the connection', async (_, action) => {
      const rule = proxy.rule({ target: 'PutItem' }, action);

      expect(await errorOf(put('a'))).toBe('ECONNRESET');

      expect(rule.fired).toBe(1);
      expect(await stored('a')).toBe(false);
      expect(proxy.requests[0]).toMatchObject({ forwarded: 0, status: undefined });
    });

    it('a black hole never answers', async () => {
      const rule = proxy.rule({}, blackhole());
      const patience = new AbortController();

      const answer = errorOf(put('a', patience.signal));
      await rule.firstFired;
      patience.abort();

      expect(await answer).toBe('AbortError');
      expect(await stored('a')).toBe(false);
    });

    it('a canned answer stands for DynamoDB', async () => {
      proxy.rule({}, canned(throttled()));

      expect(await errorOf(put('a'))).toBe('ThrottlingException');
      expect(await stored('a')).toBe(false);
    });

    it('a canned cancellation carries its reasons in order', async () => {
      proxy.rule({}, canned(transactionCancelled('None', 'TransactionConflict')));

      const failure = await transact('a', 't').catch((e: TransactionCanceledException) => e);

      expect(failure).toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      });
    });

    it('a held request lands after its caller has gone', async () => {
      const held = gate();
      proxy.rule({}, holdRequest(held));
      const patience = new AbortController();
      const answer = errorOf(put('a', patience.signal));
      await held.reached;
      patience.abort();
      await answer;
      const before = await stored('a');

      held.open();
      await expect.poll(() => proxy.requests[0]?.status).toBe(200);

      expect(before).toBe(false);
      expect(await stored('a')).toBe(true);
      expect(proxy.requests[0]).toMatchObject({ unanswered: true });
    });

    it('something can happen just before it goes on', async () => {
      proxy.rule(
        {},
        beforeForward(() =>
          database.client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' } } })),
        ),
      );

      expect(await errorOf(put('a'))).toBe('ConditionalCheckFailedException');
    });

    it('a delayed request is applied and answered', async () => {
      proxy.rule({}, delay(1));

      await put('a');

      expect(await stored('a')).toBe(true);
    });
  });

  describe('when DynamoDB has applied the request', () => {
    it('something can happen before the caller hears of it', async () => {
      proxy.rule(
        {},
        applied(({ body }) =>
          database.client.send(new DeleteItemCommand({ TableName, Key: { pk: body.Item.pk } })),
        ),
      );

      await put('a');

      expect(await stored('a')).toBe(false);
    });

    it('a held answer arrives when its gate opens', async () => {
      const held = gate();
      proxy.rule({}, holdReply(held));

      const answer = errorOf(put('a'));
      await held.reached;
      const whileHeld = await stored('a');
      held.open();

      expect(whileHeld).toBe(true);
      expect(await answer).toBe('no error');
    });

    it.each([
      ['first', 'no error'],
      ['second', 'ConditionalCheckFailedException'],
    ] as const)('a doubled request answers with the %s outcome', async (which, expected) => {
      proxy.rule({}, forwardTwice(which));

      expect(await errorOf(put('a'))).toBe(expected);
      expect(proxy.requests[0]).toMatchObject({ forwarded: 2 });
    });
  });

  describe('while the answer travels', () => {
    it('a dropped answer leaves the write in place', async () => {
      proxy.rule({}, dropReply());

      expect(await errorOf(put('a'))).toBe('ECONNRESET');
      expect(await stored('a')).toBe(true);
      expect(proxy.requests[0]).toMatchObject({ status: 200, unanswered: true });
    });

    it('a truncated answer leaves the write in place', async () => {
      proxy.rule({}, truncateReply(5));

      expect(await errorOf(put('a'))).not.toBe('no error');
      expect(await stored('a')).toBe(true);
    });

    it('an answer that stalls after its headers leaves the write in place', async () => {
      const rule = proxy.rule({}, stallAfterHeaders(1));
      const patience = new AbortController();

      const answer = errorOf(put('a', patience.signal));
      await rule.firstFired;
      await expect.poll(() => stored('a')).toBe(true);
      patience.abort();

      expect(await answer).not.toBe('no error');
    });

    it('a dripping answer is whole in the end', async () => {
      proxy.rule({}, drip(8, 1));

      expect(await errorOf(put('a'))).toBe('no error');
    });

    it('a replaced answer hides what was done', async () => {
      proxy.rule({}, replaceReply(htmlReply()));

      expect(await errorOf(put('a'))).toBe('SyntaxError');
      expect(await stored('a')).toBe(true);
    });
  });

  describe('rules', () => {
    it('take the nth match on the wire, whichever rule took those before', async () => {
      proxy.rule({ target: 'PutItem', nth: 1 }, dropReply());
      const second = proxy.rule({ target: 'PutItem', nth: 2 }, canned(throttled()));

      const outcomes = [await errorOf(put('a')), await errorOf(put('a')), await errorOf(put('a'))];

      expect(outcomes).toEqual([
        'ECONNRESET',
        'ThrottlingException',
        'ConditionalCheckFailedException',
      ]);
      expect(second.fired).toBe(1);
    });

    it('stop when removed', async () => {
      const rule = proxy.rule({}, reset());

      rule.remove();

      expect(await errorOf(put('a'))).toBe('no error');
      expect(rule.fired).toBe(0);
    });

    it('leave other tables alone', async () => {
      proxy.rule({ table: 'IdempotencyKeys' }, reset());

      expect(await errorOf(put('a'))).toBe('no error');
      expect(await errorOf(transact('b', 't'))).toBe('ECONNRESET');
    });
  });

  it('refuses connections while down and serves the same address when up', async () => {
    await proxy.down();
    const whileDown = await errorOf(put('a'));
    await proxy.up();

    expect(whileDown).toBe('ECONNREFUSED');
    expect(await errorOf(put('a'))).toBe('no error');
  });

  it('throws at close when an action was broken', async () => {
    const broken = await startWireProxy(database.connection.endpoint);
    broken.rule({}, () => {
      throw new Error('a mistake in the test');
    });
    await fetch(broken.endpoint, { method: 'POST', body: '{}' }).catch(() => {});

    await expect(broken.close()).rejects.toThrow('a mistake in the test');
  });
});
