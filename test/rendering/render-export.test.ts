// The file as a stream: in order, no article before it is needed, and an end at once when told to end.

import { expect, test } from 'vitest';
import { EXPORT_FORMATS } from '#contract/export-job.ts';
import { contentTypeOf, fileExtensionOf } from '#rendering/file-kind.ts';
import { type RenderArticle, renderArticleHere } from '#rendering/render-article.ts';
import { ArticleUnrenderableError, renderExport } from '#rendering/render-export.ts';
import { article, oneByOne, renderedText, requestOf } from '#test/rendering/rendered.ts';

const never = new AbortController().signal;

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of bytes) length += chunk.length;
  return length;
}

test('says media type and extension of each format', () => {
  expect(EXPORT_FORMATS.map((format) => [contentTypeOf(format), fileExtensionOf(format)])).toEqual([
    ['text/plain; charset=utf-8', 'txt'],
    ['text/markdown; charset=utf-8', 'md'],
    ['text/html; charset=utf-8', 'html'],
    ['application/epub+zip', 'epub'],
    ['application/json', 'json'],
  ]);
});

test('writes JSON as it is stored, with the title when there is one', async () => {
  const stored = [
    article('# \u0000 <b>\u202E', { id: 'x' }),
    article('', { id: 'y', language: 'ar' }),
  ];

  expect(JSON.parse(await renderedText('json', stored, { title: 'T', language: 'en' }))).toEqual({
    title: 'T',
    language: 'en',
    articles: stored,
  });
  expect(JSON.parse(await renderedText('json', stored))).not.toHaveProperty('title');
});

test.each(EXPORT_FORMATS)('tells after each article of %s how many are done', async (format) => {
  const done: number[] = [];

  await drain(
    renderExport(
      requestOf(format, 3),
      oneByOne([1, 2, 3].map((n) => article(`${n}`, { id: `a-${n}` }))),
      {
        renderArticle: renderArticleHere,
        onArticleDone: (count) => done.push(count),
        signal: never,
      },
    ),
  );

  expect(done).toEqual([1, 2, 3]);
});

test.each(['text', 'markdown', 'epub', 'json'] as const)(
  'reads the articles of %s only as fast as its file is read',
  async (format) => {
    let taken = 0;
    const filler = Array.from({ length: 30_000 }, (_, index) => (index * 7919).toString(36)).join(
      ' ',
    );
    async function* source() {
      for (taken = 1; taken <= 50; taken += 1) yield article(filler, { id: `a-${taken}` });
    }
    const bytes = renderExport(requestOf(format, 50), source(), {
      renderArticle: async () => ({ kind: 'rendered', content: filler }),
      signal: never,
    });

    await bytes.next();
    await new Promise(setImmediate);

    expect(taken).toBeLessThan(5);
    await bytes.return(undefined);
  },
);

test.each(EXPORT_FORMATS)('names the article that makes a %s file impossible', async (format) => {
  const renderArticle: RenderArticle = async (input, signal) =>
    input.article.id === 'bad'
      ? { kind: 'unrenderable', reason: 'time-limit' }
      : renderArticleHere(input, signal);
  const articles = [article('a'), article('b', { id: 'bad' }), article('c', { id: 'c' })];

  const error = await drain(
    renderExport(requestOf(format, 3), oneByOne(articles), { renderArticle, signal: never }),
  ).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(ArticleUnrenderableError);
  expect(error).toMatchObject({ articleId: 'bad', reason: 'time-limit' });
});

test.each(EXPORT_FORMATS)('stops %s when told to, while the source is silent', async (format) => {
  const abort = new AbortController();
  let returned = false;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        setImmediate(() => abort.abort(new Error('cancelled')));
        return new Promise<never>(() => undefined);
      },
      return: async () => {
        returned = true;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const options = { renderArticle: renderArticleHere, signal: abort.signal };

  await expect(drain(renderExport(requestOf(format, 1), source, options))).rejects.toThrow(
    'cancelled',
  );
  expect(returned).toBe(true);
});

test('stops when it was told to between two articles', async () => {
  const abort = new AbortController();
  async function* source() {
    yield article('a');
    await new Promise<never>(() => undefined);
  }
  const bytes = renderExport(requestOf('text', 2), source(), {
    renderArticle: renderArticleHere,
    signal: abort.signal,
  });

  await bytes.next();
  abort.abort(new Error('cancelled'));

  await expect(bytes.next()).rejects.toThrow('cancelled');
});

test.each(EXPORT_FORMATS)('fails %s with what its source fails with', async (format) => {
  async function* source() {
    yield article('a');
    throw new Error('store is away');
  }
  const options = { renderArticle: renderArticleHere, signal: never };

  await expect(drain(renderExport(requestOf(format, 2), source(), options))).rejects.toThrow(
    'store is away',
  );
});

test('writes nothing when it was told to stop before it began', async () => {
  const options = {
    renderArticle: renderArticleHere,
    signal: AbortSignal.abort(new Error('late')),
  };

  await expect(
    drain(renderExport(requestOf('text', 1), oneByOne([article('a')]), options)),
  ).rejects.toThrow('late');
});
