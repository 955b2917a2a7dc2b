// Whatever stands in an article, every format comes out: valid UTF-8, a page without anything alive in it,
// XML that a strict reader accepts. The strings are arbitrary, and bent towards Markdown's own signs.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectNothingAlive, expectUniqueIds } from '#test/rendering/page-facts.ts';
import { article, renderedBytes, renderedText } from '#test/rendering/rendered.ts';
import { unzipped } from '#test/rendering/unzipped.ts';
import { assertWellFormedXml } from '#test/rendering/well-formed-xml.ts';

const SIGNS = (
  '# ## > - + * ** _ ~~ ` ``` ~~~ | |- [ ] ( ) ![ ]( [^1] [^1]: [x]: <a> <b </script> <!-- --> <?x ]]> &lt; ' +
  '&#0; &#x202E; &amp &colon; \\ \\< 1. 99. [x] javascript: data: http://e.org mailto: www. @ : # " \' = { ^ %zz'
).split(' ');
const RARE = [
  '\n',
  '\n\n',
  ' ',
  '    ',
  '\t',
  '\r',
  '\u0000',
  '\u000C',
  '\u0085',
  '\u2028',
  '\uD800',
  '\uDC00',
].concat([
  '\uFFFE',
  '\uFEFF',
  '\u202E',
  '\u2067',
  '\u202C',
  '\u2069',
  '\u200D',
  '😀',
  '漢',
  'ا',
  '\u0301',
  '\u00A0',
]);
const anyMarkdown = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
      { weight: 3, arbitrary: fc.constantFrom(...RARE) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constantFrom('a', 'word', '| a | b |\n|---|---|\n', '\n- [ ] ') },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));
const anyArticle = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9_~:-]{1,12}$/),
  title: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), anyMarkdown),
  markdown: anyMarkdown,
  language: fc.constantFrom('und', 'en', 'ar', 'zh-Hant', 'x', 'de-1996', 'zh-yue'),
});
const anyArticles = fc.array(anyArticle, { minLength: 1, maxLength: 3 });
const RUNS = { numRuns: 150 };

test('text and Markdown are valid UTF-8 without control characters', async () => {
  await fc.assert(
    fc.asyncProperty(anyArticles, async (articles) => {
      for (const format of ['text', 'markdown'] as const) {
        const file = await renderedText(format, articles);
        expect(file).not.toMatch(/(?![\t\n])\p{Cc}|[\u202D\u202E]|\p{Noncharacter_Code_Point}/u);
      }
    }),
    RUNS,
  );
});

test('HTML holds nothing alive, and no ID twice', async () => {
  await fc.assert(
    fc.asyncProperty(anyArticles, fc.option(anyMarkdown), async (articles, title) => {
      const page = await renderedText('html', articles, title === null ? {} : { title });
      expectNothingAlive(page);
      expectUniqueIds(page);
    }),
    RUNS,
  );
});

test('every document of an EPUB is well-formed XML that holds nothing alive', async () => {
  await fc.assert(
    fc.asyncProperty(anyArticles, fc.option(anyMarkdown), async (articles, title) => {
      const book = await renderedBytes('epub', articles, title === null ? {} : { title });
      const documents = unzipped(book).filter(({ path }) => /\.(?:xhtml|opf|xml)$/.test(path));
      expect(documents).toHaveLength(articles.length + 3);
      for (const { path, bytes } of documents) {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        assertWellFormedXml(text);
        if (!path.endsWith('.xhtml')) continue;
        expectNothingAlive(text);
        expectUniqueIds(text);
      }
    }),
    RUNS,
  );
});

test('JSON gives back what was stored, bit for bit', async () => {
  await fc.assert(
    fc.asyncProperty(anyArticles, async (articles) => {
      const file = JSON.parse(await renderedText('json', articles));
      expect(file.articles).toEqual(articles);
    }),
    RUNS,
  );
});

test('the same article gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(anyMarkdown, async (markdown) => {
      for (const format of ['html', 'epub', 'markdown'] as const) {
        const [first, second] = [
          await renderedBytes(format, [article(markdown)]),
          await renderedBytes(format, [article(markdown)]),
        ];
        expect(first.equals(second)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});
