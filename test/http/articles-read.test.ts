// Articles read, deleted and listed: a list never reads the texts.

import { describe, expect, it } from 'vitest';
import {
  ask,
  etagOf,
  MARKDOWN_BYTES_MAX,
  nameArticle,
  proxy,
  put,
  service,
  stored,
  TEXT,
} from '#test/support/article-bench.ts';
import { dropReply } from '#test/support/wire-actions.ts';

describe('reading an article', () => {
  it('answers it as it was put, 304 to who has it, and HEAD without the body', async () => {
    const made = await put({ ...TEXT, language: 'de' });
    const read = await ask('GET');
    const known = await ask('GET', { 'if-none-match': `"x", W/${etagOf(made)}` });
    const head = await ask('HEAD');

    expect(read.body).toEqual({ ...made.body, markdown: TEXT.markdown, language: 'de' });
    expect([read, known, head].map(etagOf)).toEqual(Array(3).fill(etagOf(made)));
    expect([known.status, known.text]).toEqual([304, '']);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('of another caller is as if it were not there', async () => {
    await put();
    const others = await ask('GET', {}, { subject: 'bob' });
    nameArticle('absent');
    const absent = await ask('GET', {}, { subject: 'bob' });
    const { requestId: _, ...seen } = others.body;
    const { requestId: __, ...nothing } = absent.body;

    expect(others.status).toBe(404);
    expect(seen).toEqual(nothing);
  });
});

describe('DELETE of an article', () => {
  it('is 204, also when there is none; If-Match guards it', async () => {
    const made = await put();
    const stale = await ask('DELETE', { 'if-match': '"stale"' });
    const weak = await ask('DELETE', { 'if-match': `W/${etagOf(made)}` });
    const gone = await ask('DELETE', { 'if-match': etagOf(made) });
    const again = await ask('DELETE');

    expect([stale, weak, gone, again].map(({ status }) => status)).toEqual([412, 412, 204, 204]);
    expect(etagOf(stale)).toBe(etagOf(made));
    expect(await stored()).toBeUndefined();
  });

  it('is 204 when its answer is lost, and reaches nobody else', async () => {
    await put();
    await put(TEXT, {}, { subject: 'bob' });
    proxy.rule({ target: 'DeleteItem', nth: 1 }, dropReply());
    const gone = await ask('DELETE');
    const bobs = await ask('GET', {}, { subject: 'bob' });

    expect(gone.status).toBe(204);
    expect(bobs.status).toBe(200);
  });
});

describe('the list of articles', () => {
  it('shows no text and reads none: 20 articles of 300 KB cost the units of their summaries', async () => {
    const subject = 'heavy';
    const markdown = 'x'.repeat(MARKDOWN_BYTES_MAX);
    for (let n = 0; n < 20; n += 1) {
      nameArticle(`heavy-${`${n}`.padStart(2, '0')}`);
      await put({ title: `Title ${n}`, markdown }, {}, { subject });
    }
    proxy.clear();
    const items: unknown[] = [];
    let cursor: string | undefined;
    let bytes = 0;
    do {
      const query = cursor === undefined ? {} : { cursor };
      const page = await service.call('GET /v1/articles', { subject, query });
      items.push(...page.body.items);
      bytes += page.text.length;
      cursor = page.body.cursor;
    } while (cursor !== undefined);

    expect(items).toHaveLength(20);
    expect(items[3]).toEqual({
      id: 'heavy-03',
      title: 'Title 3',
      bytes: MARKDOWN_BYTES_MAX,
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      updatedAt: expect.any(String),
    });
    expect(bytes).toBeLessThan(6_000);
    // Half a unit a page; the texts would cost 37 each. DynamoDB Local ends a page by the size of whole
    // articles, so these are several pages; on AWS a page ends by what the index holds.
    expect(proxy.requests.map(({ capacityUnits }) => capacityUnits)).toEqual(
      Array(proxy.count()).fill(0.5),
    );
    expect(proxy.count({ target: 'Query' })).toBe(proxy.count());
    expect(proxy.count()).toBeLessThan(10);
  });
});
