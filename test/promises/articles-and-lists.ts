// What articles and lists promise to callers who share them with others of their own.

import { expect } from 'vitest';
import { JSON_TYPE, TEXT } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import type { Service } from '#test/support/service.ts';
import { applied } from '#test/support/wire-actions.ts';

const ARTICLE = '/v1/articles/{articleId}';
const LIST = 'GET /v1/export-jobs';

export const ARTICLES_AND_LISTS: readonly PromiseRow[] = [
  {
    situation: 'an article that was changed by somebody else, or is there already',
    answer: '412 `precondition-failed` with the current `ETag`; nothing is overwritten',
    async play({ call, key }) {
      const path = { articleId: key };
      const put = (markdown: string, more = {}) =>
        call(`PUT ${ARTICLE}`, {
          path,
          headers: { ...JSON_TYPE, ...more },
          body: { ...TEXT, markdown },
        });
      const first = await put('one');
      const second = await put('two', { 'if-match': first.headers.etag });

      const stale = await put('three', { 'if-match': first.headers.etag });
      const there = await put('four', { 'if-none-match': '*' });

      expect(second.status).toBe(200);
      for (const { headers } of [stale, there]) expect(headers.etag).toBe(second.headers.etag);
      expect((await call(`GET ${ARTICLE}`, { path })).body.markdown).toBe('two');
      return [stale, there];
    },
  },
  {
    situation:
      'another caller writes an article on top of a conditional write whose answer was lost',
    answer: '503 `outcome-unknown`: never `precondition-failed` for what the write itself did',
    async play({ call, database, key, proxy, serviceWith }) {
      const path = { articleId: key };
      const put = (markdown: string, headers = {}, by?: Service) =>
        call(
          `PUT ${ARTICLE}`,
          { path, headers: { ...JSON_TYPE, ...headers }, body: { ...TEXT, markdown } },
          by,
        );
      const beside = await serviceWith({ endpoint: database.connection.endpoint });
      const first = await put('one');
      const rule = proxy.rule(
        { target: 'PutItem', nth: 1 },
        applied(
          () => put('on top', {}, beside),
          (exchange) => exchange.reset(),
        ),
      );

      const lost = await put('two', { 'if-match': first.headers.etag });

      expect(rule.fired).toBe(1);
      expect((await call(`GET ${ARTICLE}`, { path })).body.markdown).toBe('on top');
      return [lost];
    },
  },
  {
    situation: 'the list of jobs, while others are made',
    answer: '200, newest first; each job that was there is shown once',
    async play({ call, create, key }) {
      const made: string[] = [];
      for (const n of [1, 2, 3]) made.push((await create({ key: `${key}-${n}` })).body.id);
      const first = await call(LIST, { query: { limit: '2' } });
      await create({ key: `${key}-4` });

      const second = await call(LIST, { query: { limit: '2', cursor: first.body.cursor } });

      const shown = [...first.body.items, ...second.body.items];
      expect(shown.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
      return [first, second];
    },
  },
  {
    situation: 'a cursor that is forged, or of another caller',
    answer: '400 `validation-failed`',
    async play({ call, create, key }) {
      await create();
      await create({ key: `${key}-b` });
      const { cursor } = (await call(LIST, { query: { limit: '1' } })).body;
      expect((await call(LIST, { query: { cursor } })).status).toBe(200);

      return [
        await call(LIST, { query: { cursor: 'forged' } }),
        await call(LIST, { query: { cursor }, subject: 'somebody-else' }),
      ];
    },
  },
];
