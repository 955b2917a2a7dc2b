// Retries of all layers, counted on the wire between the service and DynamoDB: one call of the client
// makes at most attempts × tries writes, the product that the client's README states.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { ATTEMPTS_MAX } from '#client/decide.ts';
import { isNoAnswerError } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import { environmentSchema } from '#handlers/config.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { canned, reset } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const STORE_TRIES_MAX = environmentSchema.shape.STORE_TRIES_MAX.parse(undefined);
const PRODUCT = ATTEMPTS_MAX * STORE_TRIES_MAX;

let database: Database;
let proxy: WireProxy;
let stack: RunningStack;

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await startWireProxy(database.connection.endpoint);
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = database.environment();
  stack = await startStack({
    // As many tries as deployed, with little time between them: their number is what is counted.
    env: { ...env, DYNAMODB_ENDPOINT: proxy.endpoint, STORE_BACKOFF_CAP_MS: '20' },
  });
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
});

const throttled = canned({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(
    JSON.stringify({
      __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
      message: 'slow down',
    }),
  ),
});

it.each([
  ['resets every write', reset(), 'unknown'],
  ['throttles every write', throttled, 'not-executed'],
])('a store that %s gets at most the product of writes', async (_, fault, outcome) => {
  proxy.clear();
  const rule = proxy.rule({ target: 'TransactWriteItems' }, fault);
  // What the service asks for is not waited for here: a second is a millisecond.
  const hurried = {
    ...realWorld,
    after: (ms: number, then: () => void) => realWorld.after(ms < 9_000 ? ms / 1_000 : ms, then),
  };
  const client = clientIn(
    { ...hurried, random: () => 0 },
    { url: stack.url, token: await stack.token('alice'), retryBudget: retryBudget() },
  );

  const error = await client
    .createExportJob({ articleIds: ['a-1'], format: 'text' }, { timeoutMs: 60_000 })
    .catch((thrown) => thrown);

  expect(isNoAnswerError(error) && error.outcome).toBe(outcome);
  expect(error.attempts).toHaveLength(ATTEMPTS_MAX);
  expect(proxy.count({ target: 'TransactWriteItems' })).toBe(rule.fired);
  expect(rule.fired).toBeGreaterThan(ATTEMPTS_MAX);
  expect(rule.fired).toBeLessThanOrEqual(PRODUCT);
});

it("the client's README states the product", () => {
  const readme = readFileSync(
    new URL('../../client/package/client/README.md', import.meta.url),
    'utf8',
  );

  expect(readme).toContain(
    `${ATTEMPTS_MAX} attempts × ${STORE_TRIES_MAX} tries = ${PRODUCT} writes`,
  );
});
