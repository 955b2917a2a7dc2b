import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canned, dropReply, reset } from '#test/support/wire-actions.ts';
import { openWireBench, type WireBench } from '#test/support/wire-bench.ts';
import { startWireProxy } from '#test/support/wire-proxy.ts';
import { throttled } from '#test/support/wire-replies.ts';

describe('wire proxy', () => {
  let bench: WireBench;
  beforeEach(async () => {
    bench = await openWireBench();
  });
  afterEach(() => bench.close());

  describe('without a rule', () => {
    it('writes down target, tables, token, bodies and capacity and changes nothing', async () => {
      await bench.transact('a', 'token-1');

      expect(await bench.stored('a')).toBe(true);
      expect(bench.proxy.requests).toHaveLength(1);
      expect(bench.proxy.requests[0]).toMatchObject({
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
      await bench.put('a');

      expect(await bench.errorOf(bench.put('a'))).toBe('ConditionalCheckFailedException');
      expect(bench.proxy.requests[1]).toMatchObject({ status: 400, forwarded: 1 });
    });

    it('counts by target, table and predicate', async () => {
      await bench.put('a');
      await bench.transact('b', 'token-1');

      expect(bench.proxy.count()).toBe(2);
      expect(bench.proxy.count({ target: 'PutItem' })).toBe(1);
      expect(bench.proxy.count({ table: 'IdempotencyKeys' })).toBe(1);
      expect(bench.proxy.count({ token: 'token-1' })).toBe(1);
      expect(bench.proxy.count({ where: ({ body }) => body.Item?.pk.S === 'a' })).toBe(1);
    });

    it('forgets rules and requests when cleared', async () => {
      bench.proxy.rule({}, reset());
      await bench.errorOf(bench.put('a'));

      bench.proxy.clear();
      await bench.put('a');

      expect(bench.proxy.count()).toBe(1);
    });
  });

  describe('rules', () => {
    it('take the nth match on the wire, whichever rule took those before', async () => {
      bench.proxy.rule({ target: 'PutItem', nth: 1 }, dropReply());
      const second = bench.proxy.rule({ target: 'PutItem', nth: 2 }, canned(throttled()));

      const outcomes = [
        await bench.errorOf(bench.put('a')),
        await bench.errorOf(bench.put('a')),
        await bench.errorOf(bench.put('a')),
      ];

      expect(outcomes).toEqual([
        'ECONNRESET',
        'ThrottlingException',
        'ConditionalCheckFailedException',
      ]);
      expect(second.fired).toBe(1);
    });

    it('stop when removed', async () => {
      const rule = bench.proxy.rule({}, reset());

      rule.remove();

      expect(await bench.errorOf(bench.put('a'))).toBe('no error');
      expect(rule.fired).toBe(0);
    });

    it('leave other tables alone', async () => {
      bench.proxy.rule({ table: 'IdempotencyKeys' }, reset());

      expect(await bench.errorOf(bench.put('a'))).toBe('no error');
      expect(await bench.errorOf(bench.transact('b', 't'))).toBe('ECONNRESET');
    });
  });

  it('refuses connections while down and serves the same address when up', async () => {
    await bench.proxy.down();
    const whileDown = await bench.errorOf(bench.put('a'));
    await bench.proxy.up();

    expect(whileDown).toBe('ECONNREFUSED');
    expect(await bench.errorOf(bench.put('a'))).toBe('no error');
  });

  it('throws at close when an action was broken', async () => {
    const broken = await startWireProxy(bench.database.connection.endpoint);
    broken.rule({}, () => {
      throw new Error('a mistake in the test');
    });
    await fetch(broken.endpoint, { method: 'POST', body: '{}' }).catch(() => {});

    await expect(broken.close()).rejects.toThrow('a mistake in the test');
  });
});
