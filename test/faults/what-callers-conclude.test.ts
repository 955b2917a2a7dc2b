// Nothing a caller is told ever lets it conclude that a committed intent was not executed. Sequences of
// attempts under one key, with faults drawn at random on the wire and at the edge; what was committed is
// read from the table, by the attempt that wrote it.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { type Answered, type Asked, type Service, startService } from '#test/support/service.ts';
import { itemsOf, jobsOf } from '#test/support/table-contents.ts';
import { blackhole, canned, dropReply, replaceReply, reset } from '#test/support/wire-actions.ts';
import { type Action, startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';
import {
  awsError,
  internalServerError,
  throttled,
  transactionCancelled,
} from '#test/support/wire-replies.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };

const WIRE_FAULTS: Record<string, Action> = {
  reset: reset(),
  'reset after the commit': dropReply(),
  silence: blackhole(),
  throttle: canned(throttled()),
  conflict: canned(transactionCancelled('TransactionConflict', 'None')),
  'server error': canned(internalServerError()),
  'server error after the commit': replaceReply(internalServerError()),
  refusal: canned(awsError('ValidationException')),
};
const EDGE_FAULTS: Record<string, Asked & { readonly body?: unknown }> = {
  'no token': { subject: '' },
  'a body too large': { body: 'x'.repeat(102_401) },
  'a deadline that passed': { headers: { 'x-request-deadline': '2020-01-01T00:00:00Z' } },
  'other parameters': { body: { ...BODY, format: 'epub' } },
  'a body that is not valid': { body: { ...BODY, format: 'pdf' } },
  'another media type': { headers: { 'content-type': 'text/plain' } },
};

const attempt = fc.oneof(
  fc.record({
    wire: fc.array(fc.constantFrom(...Object.keys(WIRE_FAULTS)), { maxLength: 3 }),
    readFails: fc.boolean(),
    /** The answer never reaches the caller, whatever it was. */
    lost: fc.boolean(),
  }),
  fc.record({ edge: fc.constantFrom(...Object.keys(EDGE_FAULTS)) }),
  fc.constant({ abandon: true }),
);

type Seen = { readonly answer: Answered; readonly lost: boolean; readonly create: boolean };

describe('what a caller may conclude', () => {
  let proxy: WireProxy;
  let service: Service;
  let number = 0;

  beforeAll(async () => {
    const database = await freshDatabase();
    proxy = await startWireProxy(database.connection.endpoint);
    service = await startService({
      database,
      endpoint: proxy.endpoint,
      environment: {
        CREATE_BUDGET_MS: '400',
        STORE_TRY_TIMEOUT_MS: '60',
        STORE_BACKOFF_BASE_MS: '1',
        STORE_BACKOFF_CAP_MS: '2',
        LOOK_UP_RESERVE_MS: '120',
        STORE_TRIES_MAX: '3',
      },
    });
  });
  afterAll(async () => {
    service.close();
    await proxy.close();
  });

  async function play(
    given: typeof attempt extends fc.Arbitrary<infer T> ? T : never,
    key: string,
  ) {
    proxy.clear();
    if ('abandon' in given) {
      const answer = await service.call('POST /v1/operations/{key}/abandon', { path: { key } });
      return { answer, lost: false, create: false };
    }
    if ('edge' in given) {
      const { body = BODY, ...asked } = EDGE_FAULTS[given.edge] ?? {};
      return { answer: await service.create(key, body, asked), lost: false, create: true };
    }
    for (const [index, name] of given.wire.entries()) {
      const match = { target: 'TransactWriteItems', nth: index + 1 };
      proxy.rule(match, WIRE_FAULTS[name] ?? reset());
    }
    if (given.readFails) proxy.rule({ target: 'GetItem' }, canned(internalServerError()));
    return { answer: await service.create(key, BODY), lost: given.lost, create: true };
  }

  it('is never that a committed intent was not executed', async () => {
    const seenCodes = new Set<string>();
    let committedAndLost = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 5 }), async (attempts) => {
        number += 1;
        const key = `intent-${number}`;
        const seen: Seen[] = [];
        for (const each of attempts) seen.push(await play(each, key));
        const jobs = (await jobsOf(service.database)).filter((job) => job.idempotencyKey === key);

        expect(jobs.length).toBeLessThanOrEqual(1);
        const heard = seen.filter(({ lost }) => !lost).map(({ answer }) => answer);
        for (const { body } of heard) if (body?.code) seenCodes.add(body.code);
        const creates = seen.filter(({ create }) => create);
        const everyAttemptSaidNo = creates.every(
          ({ answer, lost }) => !lost && answer.body?.executed === 'no',
        );
        const saidAbandoned = heard.some(
          ({ status, body }) =>
            body?.intent === 'abandoned' || (status === 200 && body?.executed === 'no'),
        );
        const saidMade = heard.filter(({ status }) => status === 202);
        if (jobs.length === 1) {
          expect(everyAttemptSaidNo).toBe(false);
          expect(saidAbandoned).toBe(false);
          for (const { body } of saidMade) expect(body.id).toBe(jobs[0]?.jobId);
          if (saidMade.length === 0) committedAndLost += 1;
        } else {
          expect(saidMade).toEqual([]);
        }
        for (const { body } of heard) {
          if (body?.intent === 'committed') expect(jobs).toHaveLength(1);
        }
      }),
      { numRuns: 300 },
    );
    // Not vacuous: these were all told, and some commits were never heard of.
    for (const code of [
      'outcome-unknown',
      'store-unavailable',
      'deadline-passed',
      'unauthenticated',
      'body-too-large',
      'idempotency-key-reused',
      'validation-failed',
      'operation-abandoned',
      'operation-committed',
    ]) {
      expect(seenCodes).toContain(code);
    }
    expect(committedAndLost).toBeGreaterThan(5);
    expect((await itemsOf(service.database, 'IdempotencyKeys')).length).toBeGreaterThan(20);
  }, 120_000);
});
