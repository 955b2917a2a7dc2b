// Plain text as a reader finds it.

import { describe, expect, test } from 'vitest';
import { displayWidth } from '#rendering/article-tree/display-width.ts';
import { wrapText } from '#rendering/text/wrap-text.ts';
import { article, renderedText } from '#test/rendering/rendered.ts';

const text = (markdown: string, language = 'und') =>
  renderedText('text', [article(markdown, { language })]);

test('frames the title of the file and rules the articles off from each other', async () => {
  const file = await renderedText('text', [article('One.'), article('Two.', { title: 'Next' })], {
    title: 'All of it',
  });

  expect(file).toBe(
    [
      '='.repeat(78),
      'All of it',
      '='.repeat(78),
      '\n',
      'Title\n=====\n\nOne.',
      '\n',
      '-'.repeat(78),
      '\n',
      'Next\n====\n\nTwo.\n',
    ].join('\n'),
  );
});

test('says a title once that the article repeats in its first line', async () => {
  expect(await text('# Title\n\n## Part\n\nx')).toBe('Title\n=====\n\nPart\n----\n\nx\n');
});

test('numbers links as notes, an address once, and keeps footnotes apart from them', async () => {
  const file = await text(
    '[a](http://e.org/1) [b][r] [c](http://e.org/1) <http://e.org/2> [d](#x)[^n]\n\n[r]: /rel\n[^n]: Note\n\n    more',
  );

  expect(file).toContain('a [1] b [2] c [1] http://e.org/2 d[^1]\n');
  expect(file).toContain('Footnotes:\n[^1] Note\n\n     more\n');
  expect(file).toMatch(/Links:\n\[1\] http:\/\/e\.org\/1\n\[2\] \/rel\n$/);
});

test('speaks the language of the article where it says something itself', async () => {
  expect(await text('[a](http://e.org) ![b](c.png)', 'de-AT')).toContain(
    'Bild: b [2]\n\nVerweise:\n',
  );
  expect(await text('x[^1]\n\n[^1]: y', 'zh-TW')).toContain('註腳:\n');
  expect(await text('x[^1]\n\n[^1]: y', 'sv')).toContain('Footnotes:\n');
});

test('indents nested lists, quotes and code by their marks', async () => {
  const file = await text(
    '- a\n  1. b\n  2. c\n     - [x] d\n- [ ] e\n\n> q\n> > r\n\n9. nine\n10. ten\n\n```\n  code\n```',
  );

  expect(file).toContain('- a\n  1. b\n  2. c\n     - [x] d\n- [ ] e\n');
  expect(file).toContain('> q\n>\n> > r\n');
  expect(file).toContain(' 9. nine\n10. ten\n');
  expect(file).toContain('\n      code\n');
});

test('underlines headings by their place in the outline, as wide as they are shown', async () => {
  expect(await text('# 重試\n\n### skipped\n\n#### deep')).toContain(
    '重試\n----\n\nskipped\n~~~~~~~\n\ndeep\n....\n',
  );
});

test('aligns a table that fits and makes records of one that does not', async () => {
  const wide = 'w'.repeat(40);

  expect(await text('| a | 數 |\n|--|--:|\n| 重試 | 1 |\n| b | 22 |')).toContain(
    'a    | 數\n-----+---\n重試 |  1\nb    | 22\n',
  );
  expect(await text(`| a | b |\n|--|--|\n| ${wide} | 1 |\n| 2 | ${wide} |`)).toContain(
    `a: ${wide}\nb: 1\n\na: 2\nb: ${wide}\n`,
  );
});

test('shows raw HTML, drops comments, and breaks a line at br', async () => {
  expect(await text('a<br>b <b>c</b><!-- d -->\n\n<div>\nx\n</div>')).toContain(
    'a\nb <b>c</b>\n\n    <div>\n    x\n    </div>\n',
  );
});

describe('wrapping', () => {
  test('keeps every line within 78 columns, but for what has no place to break', async () => {
    const prose = `${'word '.repeat(40)}${'漢字。'.repeat(40)}`;
    const lines = (await text(`${prose}\n\n> - ${prose}`)).split('\n');

    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(78);
    expect(wrapText(`a http://e.org/${'x'.repeat(90)} b`, 20)[1]).toBe(
      `http://e.org/${'x'.repeat(90)}`,
    );
  });

  test('breaks Chinese anywhere but before closing and after opening punctuation', () => {
    expect(wrapText('一二三四，五', 8)).toEqual(['一二三', '四，五']);
    expect(wrapText('一二三「四」', 8)).toEqual(['一二三', '「四」']);
    expect(wrapText('一二三四[^1]', 8)).toEqual(['一二三', '四[^1]']);
  });

  test('breaks Thai where its words end', () => {
    const lines = wrapText('ภาษาไทยเขียนติดกันโดยไม่เว้นวรรคระหว่างคำ', 16);

    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join('')).toBe('ภาษาไทยเขียนติดกันโดยไม่เว้นวรรคระหว่างคำ');
  });

  test('joins lines of Chinese without a space and of English with one', async () => {
    expect(await text('第一行\n第二行')).toContain('第一行第二行');
    expect(await text('one\ntwo')).toContain('one two');
  });
});
