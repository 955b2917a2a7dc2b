// Articles: the ETag is the content's hash, preconditions guard, a lost answer can be asked for again, and
// a list never reads the texts.

import { describe, expect, it } from 'vitest';
import {
  ask,
  etagOf,
  id,
  MARKDOWN_BYTES_MAX,
  nameArticle,
  proxy,
  put,
  ROUTE,
  service,
  stored,
  TEXT,
} from '#test/support/article-bench.ts';
import { type Answered, type Asked, startService } from '#test/support/service.ts';
import { canned, dropReply, replaceReply } from '#test/support/wire-actions.ts';
import { internalServerError, throttled } from '#test/support/wire-replies.ts';

describe('PUT of an article', () => {
  it('creates with 201 and Location, replaces with 200, and says what is stored without its text', async () => {
    const created = await put();
    const replaced = await put({ ...TEXT, markdown: 'Ünïcode' });

    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(`/v1/articles/${id}`);
    expect(replaced.status).toBe(200);
    expect(replaced.headers).not.toHaveProperty('location');
    expect(replaced.body).toEqual({
      id,
      title: 'Once',
      bytes: 9,
      etag: etagOf(replaced),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(await stored()).toBe('Ünïcode');
  });

  it('has the ETag of its content: the same for the same content of anyone, another for any other', async () => {
    const first = await put();
    const other = await put({ ...TEXT, title: 'Twice' });
    const spaced = await put(`  ${JSON.stringify({ markdown: TEXT.markdown, title: TEXT.title })}`);
    const bobs = await put(TEXT, {}, { subject: 'bob' });
    const languages = await put({ ...TEXT, language: 'de' });
    const undetermined = await put({ ...TEXT, language: 'und' });

    expect(etagOf(first)).toMatch(/^"[\w-]{43}"$/);
    expect(new Set([first, other, languages].map(etagOf)).size).toBe(3);
    expect([spaced, bobs, undetermined].map(etagOf)).toEqual(Array(3).fill(etagOf(first)));
  });

  it('of the same content writes nothing and keeps the time of the first', async () => {
    const first = await put();
    const again = await put();

    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(proxy.requests.map(({ target }) => target)).toEqual(['PutItem', 'PutItem']);
    expect(proxy.requests[1]?.status).toBe(400);
  });

  it('goes through when If-Match names what is stored, and is refused with the current ETag when not', async () => {
    const first = await put();
    const second = await put({ ...TEXT, markdown: 'two' }, { 'if-match': etagOf(first) });
    const stale = await put({ ...TEXT, markdown: 'three' }, { 'if-match': etagOf(first) });

    expect(second.status).toBe(200);
    expect(stale).toMatchObject({ status: 412, body: { code: 'precondition-failed' } });
    expect(etagOf(stale)).toBe(etagOf(second));
    expect(await stored()).toBe('two');
  });

  it('is 200 when its content is stored already, even if its If-Match is stale', async () => {
    const first = await put();
    const headers = { 'if-match': etagOf(first) };
    const second = await put({ ...TEXT, markdown: 'two' }, headers);
    const retry = await put({ ...TEXT, markdown: 'two' }, headers);

    expect([second.status, retry.status]).toEqual([200, 200]);
    expect(etagOf(retry)).toBe(etagOf(second));
  });

  it.each([
    ['a weak tag', (etag: string) => `W/${etag}`],
    ['no tag at all', () => 'anything'],
    ['an empty header', () => ''],
    ['the tag without its quotes', (etag: string) => etag.replaceAll('"', '')],
    ['another tag', () => '"other"'],
  ])('is refused when If-Match is %s', async (_, header) => {
    const first = await put();
    const refused = await put({ ...TEXT, markdown: 'two' }, { 'if-match': header(etagOf(first)) });

    expect(refused.status).toBe(412);
    expect(await stored()).toBe(TEXT.markdown);
  });

  it('is refused when If-Match is * and there is no article; goes through when there is one', async () => {
    const refused = await put(TEXT, { 'if-match': '*' });
    const created = await put();
    const replaced = await put({ ...TEXT, markdown: 'two' }, { 'if-match': '*' });

    expect([refused.status, created.status, replaced.status]).toEqual([412, 201, 200]);
    expect(refused.headers).not.toHaveProperty('etag');
  });

  it('takes several tags in If-Match, also as two header lines', async () => {
    const first = await put();
    const replaced = await put(
      { ...TEXT, markdown: 'two' },
      { 'if-match': `"a", W/"b",${etagOf(first)}` },
    );

    expect(replaced.status).toBe(200);
  });

  it('with If-None-Match: * only creates; a second one stays 412 and shows the current ETag', async () => {
    const headers = { 'if-none-match': '*' };
    const created = await put(TEXT, headers);
    const same = await put(TEXT, headers);
    const other = await put({ ...TEXT, title: 'Other' }, headers);

    expect([created.status, same.status, other.status]).toEqual([201, 412, 412]);
    expect([same, other].map(etagOf)).toEqual([etagOf(created), etagOf(created)]);
  });

  it.each([{ 'if-none-match': '"tag"' }, { 'if-none-match': '*', 'if-match': '*' }])(
    'refuses preconditions that it does not serve: %j',
    async (headers) => {
      expect(await put(TEXT, headers)).toMatchObject({
        status: 400,
        body: { code: 'validation-failed' },
      });
      expect(proxy.count()).toBe(0);
    },
  );

  it('makes one of two at once with the same If-Match, whatever the order', async () => {
    const first = await put();
    const headers = { 'if-match': etagOf(first) };
    const answers = await Promise.all(
      ['two', 'three'].map((markdown) => put({ ...TEXT, markdown }, headers)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    const loser = answers.find(({ status }) => status === 412);
    expect(etagOf(loser as Answered)).toBe(etagOf(winner as Answered));
  });

  it.each([
    ['the answer is lost after the write', dropReply()],
    ['the store says 500 after the write', replaceReply(internalServerError())],
    ['the store says 500 before the write', canned(internalServerError())],
    ['the store refuses for a moment', canned(throttled())],
  ])('goes through when %s', async (_, fault) => {
    const rule = proxy.rule({ target: 'PutItem', nth: 1 }, fault);
    const answer = await put(TEXT, { 'if-none-match': '*' });

    expect(rule.fired).toBe(1);
    expect(answer.status).toBe(201);
    expect(await stored()).toBe(TEXT.markdown);
  });

  it('says that the outcome is unknown when no answer comes, and the same PUT settles it', async () => {
    const first = await put();
    proxy.rule({ target: 'PutItem' }, dropReply());
    const short = await startService({
      database: service.database,
      endpoint: proxy.endpoint,
      environment: { STORE_TRIES_MAX: '2', STORE_BACKOFF_BASE_MS: '1' },
    });
    const asked: Asked = {
      path: { articleId: id },
      headers: { 'content-type': 'application/json', 'if-match': etagOf(first) },
      body: { ...TEXT, markdown: 'two' },
    };
    // The first of its two tries is applied; the second finds its content stored.
    const unknown = await short.call(`PUT ${ROUTE}`, asked);
    proxy.clear();
    const settled = await short.call(`PUT ${ROUTE}`, asked);
    short.close();

    expect(unknown).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    expect(Number(unknown.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(settled.status).toBe(200);
    expect(await stored()).toBe('two');
  });

  it('takes 300 KB of Markdown, counted in UTF-8, and refuses a byte more', async () => {
    const full = '字'.repeat(MARKDOWN_BYTES_MAX / 3);
    const taken = await put({ ...TEXT, markdown: full });
    const refused = await put({ ...TEXT, markdown: `${full}x` });
    const read = await ask('GET');

    expect(taken).toMatchObject({ status: 201, body: { bytes: MARKDOWN_BYTES_MAX } });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ pointer: '/markdown' }] },
    });
    expect(read.body.markdown).toBe(full);
  });

  it('takes 300 KB of which every byte is escaped', async () => {
    const body = `{"title":"t","markdown":"${'\\u0001'.repeat(MARKDOWN_BYTES_MAX)}"}`;

    expect(await put(body)).toMatchObject({ status: 201, body: { bytes: MARKDOWN_BYTES_MAX } });
  });

  it('takes an ID of 128 characters and refuses one of 129, "." and ".."', async () => {
    const statusOf = async (articleId: string) => {
      nameArticle(articleId);
      return (await put()).status;
    };

    expect(await statusOf('x'.repeat(128))).toBe(201);
    for (const bad of ['x'.repeat(129), '.', '..', 'a b', 'a/b', 'ä', '']) {
      expect(await statusOf(bad)).toBe(400);
    }
  });
});
