// Markdown that holds several articles and still says what each of them said.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { article, renderedText } from '#test/rendering/rendered.ts';

test('puts articles under the title of the file, and their headings under theirs', async () => {
  const file = await renderedText(
    'markdown',
    [article('# Title\n\n# Part\n\n### Deep'), article('x', { title: '*b* #', language: 'de' })],
    { title: 'All *of* it' },
  );

  expect(file).toBe(
    '# All \\*of\\* it\n\n## Title\n\n### Part\n\n#### Deep\n\n---\n\n## \\*b\\* \\#\n\n<!-- lang: de -->\n\nx\n',
  );
});

test('begins at the first level when the file has no title', async () => {
  expect(await renderedText('markdown', [article('## Part')])).toBe('# Title\n\n## Part\n');
});

test('keeps references and footnotes of articles apart', async () => {
  const markdown = '[a][x] and[^n] and [x]\n\n[x]: http://e.org\n[^n]: Note';

  const file = await renderedText('markdown', [article(markdown), article(markdown)]);

  for (const number of [1, 2]) {
    expect(file).toContain(`[a][a${number}-1] and[^a${number}-1] and [x][a${number}-1]\n`);
    expect(file).toContain(`[a${number}-1]: http://e.org\n`);
    expect(file).toContain(`[^a${number}-1]: Note\n`);
  }
});

test('leaves nothing that another renderer could run or fetch', async () => {
  const file = await renderedText('markdown', [
    article(
      '<script>x</script>\n\n<b>y</b> ![z](http://e.org/z.png) [j](javascript:x) [k][k]\n\n[k]: data:x',
    ),
  ]);

  expect(file).toContain('```html\n<script>x</script>\n```');
  expect(file).toContain('\\<b>y\\</b>');
  expect(file).toContain('[Image: z](http://e.org/z.png)');
  expect(file).toContain('j (`javascript:x`) k (`data:x`)');
  expect(file).not.toMatch(/!\[|\]\((?:javascript|data):|^\[.*\]: data/m);
});

test('says to a Markdown reader what the article said', async () => {
  const signs =
    'word * ** _ ` [ ] ( ) <b> \\ &amp; ~~ http://e.org ! 1. - + # | : > 漢字 😀 [^1] [x] . ~ = { ^'
      .split(' ')
      .concat(' ', '\n', '\n\n', '  \n', '\n- ', '\n  - ', '\n1. ', '\n> ');
  const anyText = fc
    .array(fc.constantFrom(...signs), { maxLength: 14 })
    .map((parts) => parts.join(''));
  const plain = async (markdown: string) =>
    (await renderedText('text', [article(markdown)])).replace(/\s+/g, ' ');

  await fc.assert(
    fc.asyncProperty(anyText, async (start) => {
      const markdown = `${start}\n\n[x]: http://e.org/x\n\n[^1]: note`;
      const written = await renderedText('markdown', [article(markdown)]);
      expect(await plain(written)).toBe(await plain(markdown));
    }),
    { numRuns: 300 },
  );
});
