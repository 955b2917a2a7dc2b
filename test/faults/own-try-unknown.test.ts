// A change of an article whose own first try was applied, its answer lost, while another caller wrote on
// top: never told as the other's doing (412), and never done a second time over what the other wrote.
//
//   we                        another caller
//   PUT ours, applied, no answer
//                             PUT theirs: 200
//   PUT ours again …

import { describe, expect, it } from 'vitest';
import { ask, etagOf, id, proxy, put, service, stored } from '#test/support/article-bench.ts';
import { startService } from '#test/support/service.ts';
import { reset } from '#test/support/wire-actions.ts';
import type { Action } from '#test/support/wire-proxy.ts';

const OURS = { title: 'Once', markdown: 'ours' };
const THEIRS = { title: 'Once', markdown: 'theirs' };

/** Another caller, around the proxy, so long ago. */
async function theyWrite(method: 'PUT' | 'DELETE', agoMs = 0): Promise<number> {
  const nowMs = () => Date.now() - agoMs;
  const other = await startService({ database: service.database, world: { nowMs } });
  const answer = await other.call(`${method} /v1/articles/{articleId}`, {
    path: { articleId: id },
    headers: { 'content-type': 'application/json' },
    timeEpoch: nowMs(),
    ...(method === 'PUT' && { body: THEIRS }),
  });
  other.close();
  return answer.status;
}

/** The first try reaches the table or not, is not answered, and meanwhile the other caller writes. */
const unanswered =
  (applied: boolean, theirs: 'PUT' | 'DELETE'): Action =>
  async (exchange) => {
    if (applied) await exchange.forward();
    expect(await theyWrite(theirs)).toBeLessThan(300);
    exchange.reset();
  };

describe('a change whose first try got no answer', () => {
  it.each([
    ['applied', true],
    ['lost before the table', false],
  ])('a PUT with If-Match, %s, is not 412 for what it may have done', async (_, applied) => {
    const before = await put({ title: 'Once', markdown: 'before' });
    const rule = proxy.rule({ target: 'PutItem', nth: 1 }, unanswered(applied, 'PUT'));

    const answer = await put(OURS, { 'if-match': etagOf(before) });

    expect(rule.fired).toBe(1);
    expect([answer.status, answer.body.code]).toEqual([503, 'outcome-unknown']);
    expect(await stored()).toBe('theirs');
  });

  it('a PUT with If-None-Match: * likewise', async () => {
    const rule = proxy.rule({ target: 'PutItem', nth: 1 }, unanswered(true, 'PUT'));

    const answer = await put(OURS, { 'if-none-match': '*' });

    expect(rule.fired).toBe(1);
    expect(answer.body.code).toBe('outcome-unknown');
    expect(await stored()).toBe('theirs');
  });

  it('a DELETE with If-Match likewise', async () => {
    const before = await put(OURS);
    const rule = proxy.rule({ target: 'DeleteItem', nth: 1 }, unanswered(true, 'PUT'));

    const answer = await ask('DELETE', { 'if-match': etagOf(before) });

    expect(rule.fired).toBe(1);
    expect(answer.body.code).toBe('outcome-unknown');
    expect(await stored()).toBe('theirs');
  });

  it.each([
    ['applied', true],
    ['lost before the table', false],
  ])('a PUT without precondition, %s, never overwrites the other', async (_, applied) => {
    await put({ title: 'Once', markdown: 'before' });
    const rule = proxy.rule({ target: 'PutItem', nth: 1 }, unanswered(applied, 'PUT'));

    const answer = await put(OURS);

    expect(rule.fired).toBe(1);
    expect(answer.body.code).toBe('outcome-unknown');
    expect(await stored()).toBe('theirs');
  });

  it('a DELETE without precondition never deletes what the other wrote', async () => {
    await put(OURS);
    const rule = proxy.rule({ target: 'DeleteItem', nth: 1 }, unanswered(true, 'PUT'));

    const answer = await ask('DELETE');

    expect(rule.fired).toBe(1);
    expect(answer.body.code).toBe('outcome-unknown');
    expect(await stored()).toBe('theirs');
  });

  it('a PUT does not bring back what the other deleted', async () => {
    const rule = proxy.rule({ target: 'PutItem', nth: 1 }, unanswered(true, 'DELETE'));

    const answer = await put(OURS);

    expect(rule.fired).toBe(1);
    expect(answer.body.code).toBe('outcome-unknown');
    expect(await stored()).toBeUndefined();
  });

  it('is 412 when what stands there was there before, by any clock', async () => {
    await theyWrite('PUT', 200_000);
    proxy.rule({ target: 'PutItem', nth: 1 }, reset());

    const answer = await put(OURS, { 'if-none-match': '*' });

    expect(answer.status).toBe(412);
  });

  it('is done by its second try when the article was last changed before, by any clock', async () => {
    await theyWrite('PUT', 200_000);
    const rule = proxy.rule({ target: 'PutItem', nth: 1 }, reset());

    const answer = await put(OURS);

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(200);
    expect(await stored()).toBe('ours');
  });
});
