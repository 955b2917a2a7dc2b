// Facts of the SDK that the store rests on. A release that changes one of them fails here first.

import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDynamoDbClient } from '#store/dynamodb-client.ts';
import { withTimeLimit } from '#store/time-limit.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { blackhole, canned, drip, stallAfterHeaders } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import { htmlReply, throttled } from '#test/support/wire-replies.ts';

const Key = { pk: { S: 'x' } };

describe('the SDK', () => {
  let database: Database;
  let proxy: WireProxy;
  let client: DynamoDBClient;
  beforeAll(async () => {
    database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    client = createDynamoDbClient(
      { connectTimeoutMs: 500, tryTimeoutMs: 300 },
      { ...database.connection, endpoint: proxy.endpoint },
    );
  });
  afterAll(async () => {
    client.destroy();
    await proxy.close();
  });
  beforeEach(() => proxy.clear());
  const get = () => client.send(new GetItemCommand({ TableName: 'IdempotencyKeys', Key }));
  const errorOf = async (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error) => error,
    );

  it('is told to try once, and does', async () => {
    expect(await client.config.maxAttempts()).toBe(1);
    proxy.rule({}, canned(throttled()));

    const error = await errorOf(get());

    expect(error.name).toBe('ThrottlingException');
    expect(error.$metadata.attempts).toBe(1);
    expect(proxy.count()).toBe(1);
  });

  it('would by itself try again and hide it: the reason why it may not', async () => {
    const eager = new DynamoDBClient({ ...database.connection, endpoint: proxy.endpoint });
    proxy.rule({}, canned(throttled()));

    const error = await errorOf(
      eager.send(new GetItemCommand({ TableName: 'IdempotencyKeys', Key })),
    );
    eager.destroy();

    expect(proxy.count()).toBeGreaterThan(1);
    expect(error.$metadata.attempts).toBe(proxy.count());
  });

  it('gives up on a store that does not answer, by its own limit', async () => {
    proxy.rule({}, blackhole());

    expect((await errorOf(get())).name).toBe('TimeoutError');
  });

  it.each([
    ['stalls after its headers', stallAfterHeaders(1)],
    ['drips', drip(1, 2_500)],
  ])('does not bound an answer that %s; the abort signal does', async (_, fault) => {
    proxy.rule({}, fault);
    const patient = new DynamoDBClient({
      ...database.connection,
      endpoint: proxy.endpoint,
      maxAttempts: 1,
      requestHandler: { requestTimeout: 1_500, throwOnRequestTimeout: true },
    });
    const command = new PutItemCommand({ TableName: 'IdempotencyKeys', Item: Key });

    const error = await errorOf(withTimeLimit(3_000, (options) => patient.send(command, options)));
    patient.destroy();

    expect(error).toBeInstanceOf(Error);
    expect(error.name).not.toBe('TimeoutError');
  });

  it('throws a parse error for HTML with status 200', async () => {
    proxy.rule({}, canned(htmlReply(200)));

    const error = await errorOf(get());

    expect(error).toBeInstanceOf(Error);
    expect(error.$metadata?.httpStatusCode).toBe(200);
  });
});
