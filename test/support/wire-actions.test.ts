import {
  DeleteItemCommand,
  PutItemCommand,
  type TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
import { openWireBench, TableName, type WireBench } from '#test/support/wire-bench.ts';
import { htmlReply, throttled, transactionCancelled } from '#test/support/wire-replies.ts';

describe('on the wire', () => {
  let bench: WireBench;
  beforeEach(async () => {
    bench = await openWireBench();
  });
  afterEach(() => bench.close());

  describe('before DynamoDB has the request', () => {
    it.each([
      ['a reset', reset()],
      ['half a request', half()],
    ])('%s reaches nothing and breaks the connection', async (_, action) => {
      const rule = bench.proxy.rule({ target: 'PutItem' }, action);

      expect(await bench.errorOf(bench.put('a'))).toBe('ECONNRESET');

      expect(rule.fired).toBe(1);
      expect(await bench.stored('a')).toBe(false);
      expect(bench.proxy.requests[0]).toMatchObject({ forwarded: 0, status: undefined });
    });

    it('a black hole never answers', async () => {
      const rule = bench.proxy.rule({}, blackhole());
      const patience = new AbortController();

      const answer = bench.errorOf(bench.put('a', patience.signal));
      await rule.firstFired;
      patience.abort();

      expect(await answer).toBe('AbortError');
      expect(await bench.stored('a')).toBe(false);
    });

    it('a canned answer stands for DynamoDB', async () => {
      bench.proxy.rule({}, canned(throttled()));

      expect(await bench.errorOf(bench.put('a'))).toBe('ThrottlingException');
      expect(await bench.stored('a')).toBe(false);
    });

    it('a canned cancellation carries its reasons in order', async () => {
      bench.proxy.rule({}, canned(transactionCancelled('None', 'TransactionConflict')));

      const failure = await bench.transact('a', 't').catch((e: TransactionCanceledException) => e);

      expect(failure).toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      });
    });

    it('a held request lands after its caller has gone', async () => {
      const held = gate();
      bench.proxy.rule({}, holdRequest(held));
      const patience = new AbortController();
      const answer = bench.errorOf(bench.put('a', patience.signal));
      await held.reached;
      patience.abort();
      await answer;
      const before = await bench.stored('a');

      held.open();
      await expect.poll(() => bench.proxy.requests[0]?.status).toBe(200);

      expect(before).toBe(false);
      expect(await bench.stored('a')).toBe(true);
      expect(bench.proxy.requests[0]).toMatchObject({ unanswered: true });
    });

    it('something can happen just before it goes on', async () => {
      bench.proxy.rule(
        {},
        beforeForward(() =>
          bench.database.client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' } } })),
        ),
      );

      expect(await bench.errorOf(bench.put('a'))).toBe('ConditionalCheckFailedException');
    });

    it('a delayed request is applied and answered', async () => {
      bench.proxy.rule({}, delay(1));

      await bench.put('a');

      expect(await bench.stored('a')).toBe(true);
    });
  });

  describe('when DynamoDB has applied the request', () => {
    it('something can happen before the caller hears of it', async () => {
      bench.proxy.rule(
        {},
        applied(({ body }) =>
          bench.database.client.send(
            new DeleteItemCommand({ TableName, Key: { pk: body.Item.pk } }),
          ),
        ),
      );

      await bench.put('a');

      expect(await bench.stored('a')).toBe(false);
    });

    it('a held answer arrives when its gate opens', async () => {
      const held = gate();
      bench.proxy.rule({}, holdReply(held));

      const answer = bench.errorOf(bench.put('a'));
      await held.reached;
      const whileHeld = await bench.stored('a');
      held.open();

      expect(whileHeld).toBe(true);
      expect(await answer).toBe('no error');
    });

    it.each([
      ['first', 'no error'],
      ['second', 'ConditionalCheckFailedException'],
    ] as const)('a doubled request answers with the %s outcome', async (which, expected) => {
      bench.proxy.rule({}, forwardTwice(which));

      expect(await bench.errorOf(bench.put('a'))).toBe(expected);
      expect(bench.proxy.requests[0]).toMatchObject({ forwarded: 2 });
    });
  });

  describe('while the answer travels', () => {
    it('a dropped answer leaves the write in place', async () => {
      bench.proxy.rule({}, dropReply());

      expect(await bench.errorOf(bench.put('a'))).toBe('ECONNRESET');
      expect(await bench.stored('a')).toBe(true);
      expect(bench.proxy.requests[0]).toMatchObject({ status: 200, unanswered: true });
    });

    it('a truncated answer leaves the write in place', async () => {
      bench.proxy.rule({}, truncateReply(5));

      expect(await bench.errorOf(bench.put('a'))).not.toBe('no error');
      expect(await bench.stored('a')).toBe(true);
    });

    it('an answer that stalls after its headers leaves the write in place', async () => {
      const rule = bench.proxy.rule({}, stallAfterHeaders(1));
      const patience = new AbortController();

      const answer = bench.errorOf(bench.put('a', patience.signal));
      await rule.firstFired;
      await expect.poll(() => bench.stored('a')).toBe(true);
      patience.abort();

      expect(await answer).not.toBe('no error');
    });

    it('a dripping answer is whole in the end', async () => {
      bench.proxy.rule({}, drip(8, 1));

      expect(await bench.errorOf(bench.put('a'))).toBe('no error');
    });

    it('a replaced answer hides what was done', async () => {
      bench.proxy.rule({}, replaceReply(htmlReply()));

      expect(await bench.errorOf(bench.put('a'))).toBe('SyntaxError');
      expect(await bench.stored('a')).toBe(true);
    });
  });
});
