// What a condition lets through, and what is told of a try that may have been applied before another caller
// wrote: cases of the article port.
//
//   we                         another caller
//   put v1, applied or lost
//                              puts v2
//   put v1 again, afterUnknown: `superseded`, v2 stays

import { expect } from 'vitest';
import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import type { Article, PutCondition } from '#export-jobs/article.ts';
import { plusMs } from '#idempotency/epoch.ts';
import type { Cases } from '#test/ports/port-suite.ts';
import { article, NOW, READ, sending } from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

const ALWAYS: PutCondition = { kind: 'none' };
const ABSENT: PutCondition = { kind: 'absent' };
const ANY: PutCondition = { kind: 'match', etags: 'any' };
const matching = (...etags: readonly string[]): PutCondition => ({ kind: 'match', etags });
/** Two clocks differ by this much at most. */
const CLOCKS_MS = 2 * CLOCK_SKEW_MS_MAX;

const again = () => sending({ afterUnknown: true });

async function stored(on: StoreBench, markdown: string, more: Partial<Article> = {}) {
  const made = article(markdown, more);
  const put = await on.ports.articles.putArticle(made, ALWAYS, sending());
  if (put.kind !== 'created') throw new Error(`an article could not be stored: ${put.kind}`);
  return made;
}

async function textOf(on: StoreBench, name: Article): Promise<string | undefined> {
  const read = await on.ports.articles.readArticle(name, READ);
  return read.kind === 'found' ? read.value.markdown : undefined;
}

/** Our change, as it was before another caller's and as it is tried again. */
const ours = (name: Article) => article('ours', name);
const theirs = (name: Article) => article('theirs', name);

export const ARTICLE_CONDITION_CASES: Cases<StoreBench> = {
  '2. is unchanged by content that is stored already, whatever tag it expected': async (on) => {
    const { articles } = on.ports;
    const name = await stored(on, 'same');
    const later = article('same', { ...name, updatedAtMs: plusMs(NOW, 1_000) });

    const puts = [];
    for (const condition of [ALWAYS, ANY, matching('stale'), matching()]) {
      puts.push(await articles.putArticle(later, condition, sending()));
    }

    for (const put of puts) {
      expect(put).toMatchObject({ kind: 'unchanged', article: { updatedAtMs: NOW } });
    }
  },

  '3. recognises its own put after a lost answer, under every condition': async (on) => {
    const { articles } = on.ports;
    for (const condition of [ALWAYS, ABSENT, ANY]) {
      const name = condition === ABSENT ? article('never', {}) : await stored(on, 'before');
      const lost = on.faults.loseAnswer();

      const first = await articles.putArticle(ours(name), condition, sending());
      const second = await articles.putArticle(ours(name), condition, again());

      expect(lost.bitten()).toBe(1);
      expect(first.kind).toBe('unknown');
      expect(second.kind).toBe(condition === ABSENT ? 'created' : 'unchanged');
    }
  },

  '4. is superseded when another wrote after a lost answer': async (on) => {
    const { articles } = on.ports;
    for (const [condition, before] of [
      [ALWAYS, true],
      [ANY, true],
      [matching(article('before').etag), true],
      [ABSENT, false],
    ] as const) {
      const name = before ? await stored(on, 'before') : article('never');
      const lost = on.faults.loseAnswer();
      const first = await articles.putArticle(ours(name), condition, sending());
      await articles.putArticle(theirs(name), ALWAYS, sending());

      const second = await articles.putArticle(ours(name), condition, again());

      expect(lost.bitten()).toBe(1);
      expect([first.kind, second.kind]).toEqual(['unknown', 'superseded']);
      expect(await textOf(on, name)).toBe('theirs');
    }
  },

  '4. changes again where a precondition that names a text holds again': async (on) => {
    const { articles } = on.ports;
    const sameTag = await stored(on, 'before');
    const goneAgain = article('never');
    const tries: readonly (readonly [Article, PutCondition, () => Promise<unknown>])[] = [
      [
        sameTag,
        matching(sameTag.etag),
        () => articles.putArticle(article('before', sameTag), ALWAYS, sending()),
      ],
      [
        goneAgain,
        ABSENT,
        () => articles.deleteArticle({ ...goneAgain, nowMs: NOW }, ALWAYS, sending()),
      ],
    ];

    for (const [name, condition, theyChange] of tries) {
      on.faults.loseAnswer();
      await articles.putArticle(ours(name), condition, sending());
      await theyChange();
      const second = await articles.putArticle(ours(name), condition, again());

      expect(second.kind).toBe(condition === ABSENT ? 'created' : 'replaced');
      expect(await textOf(on, name)).toBe('ours');
    }
  },

  '4. is superseded likewise when its first try was lost before the store': async (on) => {
    const { articles } = on.ports;
    const name = await stored(on, 'before');
    const lost = on.faults.loseRequest();
    await articles.putArticle(ours(name), ALWAYS, sending());
    await articles.putArticle(theirs(name), ALWAYS, sending());

    const second = await articles.putArticle(ours(name), ALWAYS, again());

    expect(lost.bitten()).toBe(1);
    expect(second).toEqual({ kind: 'superseded' });
    expect(await textOf(on, name)).toBe('theirs');
  },

  '4. does not bring back what another deleted': async (on) => {
    const { articles } = on.ports;
    for (const condition of [ALWAYS, ANY]) {
      const name = await stored(on, 'before');
      on.faults.loseAnswer();
      await articles.putArticle(ours(name), condition, sending());
      await articles.deleteArticle({ ...name, nowMs: NOW }, ALWAYS, sending());

      const second = await articles.putArticle(ours(name), condition, again());

      expect(second).toEqual({ kind: 'superseded' });
      expect(await textOf(on, name)).toBeUndefined();
    }
  },

  '4. deletes nothing that another wrote after a lost answer': async (on) => {
    const { articles } = on.ports;
    for (const condition of [ALWAYS, matching(article('before').etag)]) {
      const name = await stored(on, 'before');
      on.faults.loseAnswer();
      const first = await articles.deleteArticle({ ...name, nowMs: NOW }, condition, sending());
      await articles.putArticle(theirs(name), ALWAYS, sending());

      const second = await articles.deleteArticle({ ...name, nowMs: NOW }, condition, again());

      expect([first.kind, second.kind]).toEqual(['unknown', 'superseded']);
      expect(await textOf(on, name)).toBe('theirs');
    }
  },

  '4. changes after an unknown try what stood there before by any clock, to the millisecond':
    async (on) => {
      const { articles } = on.ports;
      for (const [stoodForMs, kind] of [
        [CLOCKS_MS, 'superseded'],
        [CLOCKS_MS + 1, 'replaced'],
      ] as const) {
        const name = await stored(on, 'before', { updatedAtMs: plusMs(NOW, -stoodForMs) });
        const mine = article('ours', { ...name, updatedAtMs: NOW });

        const put = await articles.putArticle(mine, ALWAYS, again());

        expect(put.kind).toBe(kind);
        expect(await textOf(on, name)).toBe(kind === 'replaced' ? 'ours' : 'before');
      }
    },

  '4. is a mismatch after an unknown try when what stands there was there before': async (on) => {
    const { articles } = on.ports;
    const updatedAtMs = plusMs(NOW, -CLOCKS_MS - 1);
    const name = await stored(on, 'before', { updatedAtMs });
    const mine = article('ours', { ...name, updatedAtMs: NOW });
    const mismatch = { kind: 'mismatch', currentEtag: name.etag };

    const answers = [
      await articles.putArticle(mine, ABSENT, again()),
      await articles.putArticle(mine, matching('other'), again()),
      await articles.deleteArticle({ ...mine, nowMs: NOW }, matching('other'), again()),
    ];

    expect(answers).toEqual([mismatch, mismatch, mismatch]);
  },

  '5. stores with absent only where no article is': async (on) => {
    const { articles } = on.ports;
    const name = article('first');

    const created = await articles.putArticle(name, ABSENT, sending());
    const second = article('second', { ...name, updatedAtMs: plusMs(NOW, 1_000) });
    const refused = await articles.putArticle(second, ABSENT, sending());

    expect(created.kind).toBe('created');
    expect(refused).toEqual({ kind: 'mismatch', currentEtag: name.etag });
    expect(await textOf(on, name)).toBe('first');
  },

  '5. refuses with absent the very content that another stored': async (on) => {
    const { articles } = on.ports;
    const name = await stored(on, 'same');
    const later = article('same', { ...name, updatedAtMs: plusMs(NOW, 1_000) });

    expect(await articles.putArticle(later, ABSENT, sending())).toEqual({
      kind: 'mismatch',
      currentEtag: name.etag,
    });
  },

  '5. changes with match only an article with a tag that it names': async (on) => {
    const { articles } = on.ports;
    for (const [condition, holds] of [
      [(etag: string) => matching('other', etag), true],
      [() => ANY, true],
      [() => matching('other'), false],
      [() => matching(), false],
    ] as const) {
      const name = await stored(on, 'before');
      const put = await articles.putArticle(ours(name), condition(name.etag), sending());
      expect(put).toMatchObject(
        holds ? { kind: 'replaced' } : { kind: 'mismatch', currentEtag: name.etag },
      );

      const { etag } = holds ? ours(name) : name;
      const gone = { ...name, nowMs: NOW };
      const deleted = await articles.deleteArticle(gone, condition(etag), sending());
      expect(deleted).toMatchObject(
        holds ? { kind: 'deleted' } : { kind: 'mismatch', currentEtag: name.etag },
      );
      expect(await textOf(on, name)).toBe(holds ? undefined : 'before');
    }
  },

  '5. matches nothing where no article is': async (on) => {
    const { articles } = on.ports;
    const name = article('new');

    const puts = [
      await articles.putArticle(name, ANY, sending()),
      await articles.putArticle(name, matching(name.etag), sending()),
    ];

    expect(puts).toEqual([{ kind: 'mismatch' }, { kind: 'mismatch' }]);
    expect(await textOf(on, name)).toBeUndefined();
  },

  '5. lets one of two changes with one tag win': async (on) => {
    const { articles } = on.ports;
    const name = await stored(on, 'before');
    const changes = [ours(name), theirs(name)];

    const puts = await Promise.all(
      changes.map((change) => articles.putArticle(change, matching(name.etag), sending())),
    );

    const winner = changes.find((_, index) => puts[index]?.kind === 'replaced');
    expect(puts.map(({ kind }) => kind).toSorted()).toEqual(['mismatch', 'replaced']);
    expect(await textOf(on, name)).toBe(winner?.markdown);
  },

  '6. calls deleted what is not there, whatever was expected': async (on) => {
    const { articles } = on.ports;
    const gone = { ...article('never'), nowMs: NOW };

    for (const condition of [ALWAYS, ANY, matching('x')]) {
      for (const options of [sending(), again()]) {
        expect(await articles.deleteArticle(gone, condition, options)).toEqual({ kind: 'deleted' });
      }
    }
  },
};
