// Keeps render threads from job to job: starting one costs more than rendering most jobs. A thread serves
// one job at a time; limits and aborts end it as before, and the next article gets a new one.

import type { RenderThread } from '#rendering/render-thread.ts';

/**
 * @param start makes a new thread
 * @param idleMax threads kept while no job wants them; more are ended when their job is done
 * @returns borrows a thread for one job; its `close` gives it back
 */
export function createRenderPool(start: () => RenderThread, idleMax: number): () => RenderThread {
  const idle: RenderThread[] = [];
  return () => {
    const thread = idle.pop() ?? start();
    let returned = false;
    return {
      renderArticle: thread.renderArticle,
      async close() {
        if (returned) return;
        returned = true;
        if (idle.length < idleMax) idle.push(thread);
        else await thread.close();
      },
    };
  };
}
