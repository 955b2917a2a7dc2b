// 100,000 random events straight into the handlers, with ports that answer at random: no 500, every answer
// one that API Gateway can send, and nothing written by what is refused. A smaller run has the real store.

import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { wire } from '#handlers/wiring.ts';
import type { HttpHandler } from '#http/edge-parts.ts';
import { type Random, randomEvent, randomOf } from '#test/http/fuzz-events.ts';
import { fakePorts, NOW_MS } from '#test/http/fuzz-ports.ts';
import { emptyDatabase, freshDatabase } from '#test/support/dynamodb.ts';
import { handlersOf } from '#test/support/routes.ts';
import { connectionOf, lambdaContext, serviceEnvironment } from '#test/support/service.ts';
import { noSignals } from '#test/support/test-log.ts';
import { startWireProxy } from '#test/support/wire-proxy.ts';

const EVENTS = 100_000;
const EVENTS_ON_THE_STORE = 3_000;
/** Another seed plays other events: FUZZ_SEED=7 npx vitest run test/http/fuzz.test.ts */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_130);
/** Answers that say that nothing was executed by this attempt, or that nothing could be. */
const NEVER_WRITES = new Set([304, 400, 401, 404, 405, 413, 415]);

describe(`random events of seed ${SEED}`, () => {
  it(`${EVENTS} of them get an answer, none of them 500`, async () => {
    const random = randomOf(SEED);
    const fakes = fakePorts(random);
    let monotonicMs = 0;
    const { edge: parts, config } = wire({
      environment: serviceEnvironment(emptyDatabase()),
      world: {
        nowMs: () => NOW_MS,
        monotonicMs: () => monotonicMs,
        random: () => random.below(1_000) / 1_000,
        newToken: () => 'token',
        newJobId: (atMs) => v7({ msecs: atMs }),
        sleepMs: async (ms) => {
          monotonicMs += ms;
        },
      },
      log: quietLog,
      signals: noSignals,
    });
    const handlers = [...handlersOf(fakes, parts, config)];
    const counts = await play(EVENTS, handlers, random, {
      nowMs: () => NOW_MS,
      writes: () => fakes.writes(),
      mayFail: 'at random',
    });

    // Not vacuous: the events reach into every corner.
    for (const status of [
      200, 201, 202, 204, 303, 304, 400, 401, 404, 405, 409, 410, 412, 413, 415, 422, 503, 504,
    ]) {
      expect(`${status}: ${(counts.get(status) ?? 0) > 3}`).toBe(`${status}: true`);
    }
  }, 180_000);

  it(`${EVENTS_ON_THE_STORE} of them on the real store get an answer, none of them 500`, async () => {
    const random = randomOf(SEED + 1);
    const database = await freshDatabase();
    const proxy = await startWireProxy(database.connection.endpoint);
    const wiring = wire({
      environment: serviceEnvironment(database),
      world: { ...(await import('#handlers/world.ts')).realWorld, sleepMs: async () => undefined },
      connection: connectionOf(database, proxy.endpoint),
      log: quietLog,
      signals: noSignals,
    });
    const { edge: parts, config } = wiring;
    const files = fakePorts(random).files;
    const handlers = [...handlersOf({ ...wiring, files }, parts, config)];
    const writes = () =>
      proxy.requests.filter(({ target }) => /^(Transact|Put|Update|Delete)/.test(target)).length;

    const counts = await play(EVENTS_ON_THE_STORE, handlers, random, {
      nowMs: Date.now,
      writes,
      mayFail: 'never',
      // Long polls wait for real, and in a millisecond no store answers.
      leaveOut: (event) => /wait=|timeout-ms":"1"/i.test(JSON.stringify(event ?? null)),
    });
    wiring.dynamoDb.destroy();
    await proxy.close();

    expect(counts.get(202)).toBeGreaterThan(3);
    expect(writes()).toBeGreaterThan(50);
  }, 180_000);
});

const quietLog = { info: () => undefined, error: () => undefined };

type Playing = {
  readonly nowMs: () => number;
  readonly writes: () => number;
  readonly leaveOut?: (event: unknown) => boolean;
  /** May the store be unavailable? `never`: then no 503 but for the clock. */
  readonly mayFail: 'at random' | 'never';
};

async function play(
  events: number,
  handlers: readonly (readonly [string, HttpHandler])[],
  random: Random,
  { nowMs, writes, leaveOut = () => false, mayFail }: Playing,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const context = lambdaContext(() => 10_000);
  for (let index = 0; index < events; index += 1) {
    const [route, handler] = random.one(handlers);
    const event = randomEvent(route, nowMs(), random);
    if (leaveOut(event)) continue;
    const before = writes();
    const result = await handler(event, context);
    const faults = faultsOf(route, result, writes() - before);
    const failed = result.statusCode === 503 && !(isClock(result) || route.startsWith('HEAD'));
    if (mayFail === 'never' && failed) faults.push('503');
    if (faults.length > 0) {
      const shown = JSON.stringify(event)?.slice(0, 2_000);
      throw new Error(`event ${index} of seed ${SEED}, ${route}: ${faults.join('; ')}\n${shown}`);
    }
    const status = result.statusCode ?? 0;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

function isClock({ body }: APIGatewayProxyStructuredResultV2): boolean {
  return body?.includes('clock-untrusted') ?? false;
}

function faultsOf(
  route: string,
  result: APIGatewayProxyStructuredResultV2,
  writes: number,
): string[] {
  const { statusCode = 0, headers = {}, body, isBase64Encoded } = result;
  const type = String(headers['content-type'] ?? '');
  const faults: string[] = [];
  if (statusCode < 200 || statusCode > 504 || statusCode === 500) faults.push(`${statusCode}`);
  // A job of the random ports may be gone after it was asked to stop.
  const neverWrites =
    NEVER_WRITES.has(statusCode) && !(statusCode === 404 && route.endsWith('cancel'));
  if (neverWrites && writes > 0) faults.push(`${statusCode} after ${writes} writes`);
  for (const [name, value] of Object.entries(headers)) {
    const sound = /^[a-z-]+$/.test(name) && /^[\x20-\x7e]*$/.test(String(value));
    if (!sound) faults.push(`header ${JSON.stringify([name, value])}`);
  }
  if (body !== undefined && !body.isWellFormed()) faults.push('a body that UTF-8 cannot carry');
  if (body !== undefined && type.endsWith('json') && !isBase64Encoded && !isJson(body))
    faults.push('no JSON');
  if (statusCode >= 400 && type !== 'application/problem+json') faults.push(`a problem as ${type}`);
  if (/at \w+.*\.ts:\d|Error:|ECONN|DynamoDB/.test(statusCode >= 400 ? (body ?? '') : '')) {
    faults.push(`an inside shown: ${body}`);
  }
  return faults;
}

function isJson(body: string | undefined): boolean {
  try {
    JSON.parse(body ?? '');
    return true;
  } catch {
    return false;
  }
}
