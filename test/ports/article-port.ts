// The suite of the article port: reads, lists and what belongs to any write. What a condition lets through
// is in article-condition-cases.ts.

import { expect } from 'vitest';
import { ARTICLE_CONDITION_CASES } from '#test/ports/article-condition-cases.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import { article, GLANCE, NOW, named, READ, sending } from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

const ALWAYS = { kind: 'none' } as const;

export const ARTICLE_SUITE: PortSuite<StoreBench> = {
  port: 'ArticlePort',
  cases: {
    '1. reads at once what was acknowledged, as it was written': async (on) => {
      const { articles } = on.ports;
      const [first, second] = [article('one'), article('two')];
      const replaced = { ...second, owner: first.owner };

      const created = await articles.putArticle(first, ALWAYS, sending());
      const before = await articles.readArticle(first, READ);
      const changed = await articles.putArticle(replaced, ALWAYS, sending());
      const after = await articles.readArticle(first, READ);

      expect([created.kind, changed.kind]).toEqual(['created', 'replaced']);
      expect(before).toEqual({ kind: 'found', value: first });
      expect(after).toEqual({ kind: 'found', value: replaced });
    },

    '1. says none of what is proven absent alone': async (on) => {
      const { articles } = on.ports;
      const absent = article('never');

      const proven = await articles.readArticle(absent, READ);
      const glanced = await articles.readArticle(absent, GLANCE);
      on.faults.emptyReads();
      const empty = await articles.readArticle(absent, READ);

      expect([proven.kind, glanced.kind, empty.kind]).toEqual(['none', 'failed', 'failed']);
    },

    '1. throws an article that does not parse': async (on) => {
      const name = article('sound');
      await on.ports.articles.putArticle(name, ALWAYS, sending());
      await on.spoil({ of: 'article', article: name });

      await expect(on.ports.articles.readArticle(name, READ)).rejects.toMatchObject({
        code: 'corrupt-item',
      });
    },

    ...ARTICLE_CONDITION_CASES,

    '7. sends nothing once maySend says no': async (on) => {
      const { articles } = on.ports;
      const stored = article('stays');
      await articles.putArticle(stored, ALWAYS, sending());
      const before = on.faults.writes();
      const never = sending({ maySend: () => false });

      const sent = [
        await articles.putArticle(article('other', stored), ALWAYS, never),
        await articles.deleteArticle({ ...stored, nowMs: NOW }, ALWAYS, never),
      ];

      expect(on.faults.writes()).toBe(before);
      for (const each of sent) expect(each).toEqual({ kind: 'not-applied', why: 'not-sent' });
      expect(await articles.readArticle(stored, READ)).toMatchObject({ value: stored });
    },

    '7. says for certain that a throttle and a conflict wrote nothing': async (on) => {
      const { articles } = on.ports;
      const stored = article('stays');
      await articles.putArticle(stored, ALWAYS, sending());

      for (const why of ['throttled', 'conflict'] as const) {
        on.faults.refuse(why);
        const put = await articles.putArticle(article('other', stored), ALWAYS, sending());
        on.faults.refuse(why);
        const gone = await articles.deleteArticle({ ...stored, nowMs: NOW }, ALWAYS, sending());

        expect([put, gone]).toEqual([
          { kind: 'not-applied', why },
          { kind: 'not-applied', why },
        ]);
      }
      expect(await articles.readArticle(stored, READ)).toMatchObject({ value: stored });
    },

    '7. takes a lost request for unknown': async (on) => {
      const { articles } = on.ports;
      const stored = article('stays');
      await articles.putArticle(stored, ALWAYS, sending());

      const first = on.faults.loseRequest();
      const put = await articles.putArticle(article('other', stored), ALWAYS, sending());
      const second = on.faults.loseRequest();
      const gone = await articles.deleteArticle({ ...stored, nowMs: NOW }, ALWAYS, sending());

      expect([first.bitten(), second.bitten()]).toEqual([1, 1]);
      expect([put.kind, gone.kind]).toEqual(['unknown', 'unknown']);
      expect(await articles.readArticle(stored, READ)).toMatchObject({ value: stored });
    },

    '7. reads what a bare refusal does not tell, and is unknown when that proves nothing': async (
      on,
    ) => {
      const { articles } = on.ports;
      const stored = article('stays');
      await articles.putArticle(stored, ALWAYS, sending());
      const other = { kind: 'match', etags: ['other'] } as const;
      const writes = [
        () => articles.putArticle(article('new', stored), other, sending()),
        () => articles.deleteArticle({ ...stored, nowMs: NOW }, other, sending()),
      ];
      const bare = on.faults.bareRefusals();

      const told = await Promise.all(writes.map((write) => write()));
      const empty = on.faults.emptyReads();
      const blind = await Promise.all(writes.map((write) => write()));

      expect([bare.bitten(), empty.bitten()]).toEqual([4, 2]);
      for (const each of told) {
        expect(each).toEqual({ kind: 'mismatch', currentEtag: stored.etag });
      }
      expect(blind.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    },

    "8. lists an owner's own articles by ID, each once, never the texts": async (on) => {
      const { articles } = on.ports;
      const owner = named('owner');
      const ids = ['b', 'a', 'd', 'c', 'e'];
      for (const articleId of ids) {
        await articles.putArticle(article('text', { owner, articleId }), ALWAYS, sending());
      }
      await articles.putArticle(article('of another', { articleId: 'a' }), ALWAYS, sending());

      const first = await articles.listArticles(owner, { limit: 3 }, GLANCE);
      const next = first.kind === 'found' ? first.value.nextAfterArticleId : undefined;
      const asked = { limit: 3, afterArticleId: next ?? '' };
      const second = await articles.listArticles(owner, asked, GLANCE);

      const { etag, title, bytes } = article('text');
      expect(first).toMatchObject({ value: { articles: ofIds('a', 'b', 'c') } });
      expect(second).toMatchObject({ value: { articles: ofIds('d', 'e') } });
      const [listed] = first.kind === 'found' ? first.value.articles : [];
      expect(listed).toEqual({ articleId: 'a', etag, title, bytes, updatedAtMs: NOW });
    },

    '8. ends a list by having no next': async (on) => {
      const stored = article('text');
      await on.ports.articles.putArticle(stored, ALWAYS, sending());

      const read = await on.ports.articles.listArticles(stored.owner, { limit: 2 }, GLANCE);

      expect(read.kind === 'found' && read.value).not.toHaveProperty('nextAfterArticleId');
    },

    '8. fails a page of which nothing is proven': async (on) => {
      const stored = article('text');
      await on.ports.articles.putArticle(stored, ALWAYS, sending());
      const empty = on.faults.emptyReads();

      const read = await on.ports.articles.listArticles(stored.owner, { limit: 3 }, GLANCE);

      expect(empty.bitten()).toBe(1);
      expect(read).toEqual({ kind: 'failed' });
    },
  },
};

function ofIds(...ids: readonly string[]) {
  return ids.map((articleId) => ({ articleId }));
}
