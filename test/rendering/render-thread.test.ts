// The thread that renders: its limits hold, it is used again, and nothing of it is left.
// Limits are far from what the machine needs or can do, so that no test depends on its speed.

import { afterEach, expect, test } from 'vitest';
import { renderOutcomeOf } from '#rendering/render-article.ts';
import type { RenderInput } from '#rendering/render-input.ts';
import {
  createRenderThread,
  type RenderThread,
  type RenderThreadOptions,
} from '#rendering/render-thread.ts';
import { hostileArticles } from '#test/rendering/hostile-articles.ts';
import { article } from '#test/rendering/rendered.ts';

/** 300 KB that take a minute or more: the time is quadratic in the length. */
const SLOW = '_*'.repeat(150_000);
/** 300 KB that need several hundred megabytes. */
const BIG = '*a* '.repeat(75_000);
const GENEROUS = { timeoutMs: 60_000, heapMb: 512 };

const entryUrl = new URL(import.meta.resolve('#handlers/render-article-thread.ts'));
const never = new AbortController().signal;
let thread: RenderThread | undefined;

function threadOf(limits: Omit<RenderThreadOptions, 'entryUrl'>): RenderThread {
  thread = createRenderThread({ ...limits, entryUrl });
  return thread;
}

function input(markdown: string, format: RenderInput['format'] = 'html'): RenderInput {
  return { format, titleLevel: 1, number: 1, article: article(markdown) };
}

const workersAlive = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker')
    .length;

afterEach(async () => {
  await thread?.close();
  thread = undefined;
});

test('renders what the function renders, article after article', async () => {
  const { renderArticle } = threadOf(GENEROUS);

  const outcomes = [await renderArticle(input('a'), never), await renderArticle(input('b'), never)];

  expect(outcomes).toMatchObject([
    { kind: 'rendered', content: expect.stringContaining('<p>a</p>') },
    { kind: 'rendered', content: expect.stringContaining('<p>b</p>') },
  ]);
});

test('answers calls that come at the same time in their order', async () => {
  const { renderArticle } = threadOf(GENEROUS);

  const outcomes = await Promise.all(
    ['a', 'b', 'c'].map((markdown) => renderArticle(input(markdown, 'markdown'), never)),
  );

  expect(outcomes.map((outcome) => outcome.kind === 'rendered' && outcome.content)).toEqual([
    '# Title\n\na\n',
    '# Title\n\nb\n',
    '# Title\n\nc\n',
  ]);
});

test('ends an article at its time limit and renders the next one', async () => {
  const { renderArticle } = threadOf({ ...GENEROUS, timeoutMs: 3_000 });

  const slow = renderArticle(input(SLOW), never);
  const next = renderArticle(input('a'), never);

  expect(await slow).toEqual({ kind: 'unrenderable', reason: 'time-limit' });
  expect(await next).toMatchObject({ kind: 'rendered' });
});

test('ends an article at its heap limit and renders the next one', async () => {
  const { renderArticle } = threadOf({ ...GENEROUS, heapMb: 48 });

  const big = await renderArticle(input(BIG), never);

  expect(big).toMatchObject({ kind: 'unrenderable', reason: 'memory-limit' });
  expect(await renderArticle(input('a'), never)).toMatchObject({ kind: 'rendered' });
});

test('says so when an article is nested deeper than the stack', () => {
  const quotes = `${'>'.repeat(20_000)}x`;

  expect(renderOutcomeOf(input(quotes))).toMatchObject({
    kind: 'unrenderable',
    reason: 'nested-too-deep',
  });
});

test('stops at once when it is told to, and renders for the next caller', async () => {
  const { renderArticle } = threadOf(GENEROUS);
  await renderArticle(input('a'), never);
  const abort = new AbortController();

  const slow = renderArticle(input(SLOW), abort.signal);
  setImmediate(() => abort.abort(new Error('lease lost')));

  await expect(slow).rejects.toThrow('lease lost');
  expect(await renderArticle(input('a'), never)).toMatchObject({ kind: 'rendered' });
});

test('renders nothing for a caller who has already given up', async () => {
  const { renderArticle } = threadOf(GENEROUS);

  await expect(renderArticle(input('a'), AbortSignal.abort(new Error('gone')))).rejects.toThrow(
    'gone',
  );
});

test('leaves no thread when it is closed in the middle of an article', async () => {
  const before = workersAlive();
  const { renderArticle, close } = threadOf(GENEROUS);
  await renderArticle(input('a'), never);
  const slow = renderArticle(input(SLOW), never);
  const rejected = expect(slow).rejects.toThrow('the render thread is closed');

  await close();

  await rejected;
  expect(workersAlive()).toBe(before);
  await expect(renderArticle(input('a'), never)).rejects.toThrow('the render thread is closed');
});

test('rejects when its module cannot be loaded, since that is no fault of the article', async () => {
  const { renderArticle } = createRenderThread({
    ...GENEROUS,
    entryUrl: new URL('file:///nowhere.js'),
  });

  await expect(renderArticle(input('a'), never)).rejects.toThrow('could not be started');
});

test('renders every hostile article in every format within the limits', async () => {
  const { renderArticle } = threadOf(GENEROUS);

  for (const one of hostileArticles()) {
    for (const format of ['text', 'markdown', 'html', 'epub'] as const) {
      const outcome = await renderArticle({ ...input('', format), article: one }, never);
      expect(outcome, one.id).toMatchObject({ kind: 'rendered' });
    }
  }
});
