import { describe, expect, it } from 'vitest';
import { renderArticleHere } from '#rendering/render-article.ts';
import { createRenderPool } from '#rendering/render-pool.ts';

function counting(idleMax: number) {
  const threads = { started: 0, ended: 0 };
  const borrow = createRenderPool(() => {
    threads.started += 1;
    return {
      renderArticle: renderArticleHere,
      close: async () => {
        threads.ended += 1;
      },
    };
  }, idleMax);
  return { threads, borrow };
}

describe('the render pool', () => {
  it('gives the thread of one job to the next', async () => {
    const { threads, borrow } = counting(1);
    for (let job = 0; job < 3; job += 1) await borrow().close();

    expect(threads).toEqual({ started: 1, ended: 0 });
  });

  it('never gives one thread to two jobs at once, also when one is given back twice', async () => {
    const { threads, borrow } = counting(4);
    const first = borrow();
    await first.close();
    await first.close();
    const [second, third] = [borrow(), borrow()];

    expect(threads.started).toBe(2);
    expect(second).not.toBe(third);
  });

  it('ends what is more than it may keep', async () => {
    const { threads, borrow } = counting(2);
    const jobs = [borrow(), borrow(), borrow()];
    for (const job of jobs) await job.close();

    expect(threads).toEqual({ started: 3, ended: 1 });
  });
});
