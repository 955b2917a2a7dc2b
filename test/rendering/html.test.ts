// The HTML page: one file, complete, correct by an independent validator, dead to whoever wrote an article.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { readSampleArticles } from '#local/sample-articles.ts';
import { hostileArticles } from '#test/rendering/hostile-articles.ts';
import { expectNothingAlive, expectUniqueIds } from '#test/rendering/page-facts.ts';
import { article, renderedText } from '#test/rendering/rendered.ts';

const validator = new HtmlValidate(
  JSON.parse(readFileSync(new URL('html-validate.json', import.meta.url), 'utf8')),
);
const html = (markdown: string, language = 'und') =>
  renderedText('html', [article(markdown, { language })]);

test.each([
  ['the sample articles', readSampleArticles().map(({ articleId: id, body }) => ({ id, ...body }))],
  ['hostile articles', hostileArticles()],
])('is valid HTML for %s', async (_, articles) => {
  const page = await renderedText(
    'html',
    articles.map((one) => article(one.markdown, one)),
    { title: 'Title & <more>', language: 'en' },
  );

  const report = await validator.validateString(page);

  expect(articles.length).toBeGreaterThan(4);
  expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
  expectNothingAlive(page);
  expectUniqueIds(page);
});

test('forbids everything but its one style, which its policy names by hash', async () => {
  const page = await html('x');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');

  expect(page.replaceAll('&#x27;', "'")).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
  );
  expect(style.length).toBeGreaterThan(1000);
  expect(page.match(/<style/g)).toHaveLength(1);
});

test('lists the articles before the first of them, each in its language and direction', async () => {
  const page = await renderedText(
    'html',
    [article('x', { title: 'مهلة', language: 'ar' }), article('y', { id: 'b', title: ' ' })],
    { language: 'zh-Hant' },
  );

  expect(page).toContain('<html lang="zh-Hant" dir="ltr">');
  expect(page).toContain('<title>文章</title>');
  expect(page).toContain('<h2 id="contents" lang="zh-Hant">目錄</h2>');
  expect(page).toContain('<a href="#a1" lang="ar" dir="rtl">مهلة</a>');
  expect(page).toContain('<a href="#a2" lang="und" dir="auto">b</a>');
  expect(page).toContain('<article id="a1" lang="ar" dir="rtl">');
  expect(page.indexOf('<nav')).toBeLessThan(page.indexOf('<article'));
});

test('is headed by its only article when it has no title', async () => {
  const page = await html('## Part');

  expect(page).toContain('<title>Title</title>');
  expect(page.match(/<h\d/g)).toEqual(['<h1', '<h2']);
  expect(page).not.toContain('<nav');
});

test('links headings and footnotes within an article, under IDs of its own', async () => {
  const markdown = '# Same\n\n# Same\n\n[a](#same-1) [b](#nowhere)[^1]\n\n[^1]: Note';

  const page = await renderedText('html', [article(markdown), article(markdown)]);

  for (const a of ['a1', 'a2']) {
    expect(page).toContain(`<h3 id="${a}-same">Same</h3>`);
    expect(page).toContain(`<a href="#${a}-same-1">a</a> <a title="#nowhere">b</a>`);
    expect(page).toContain(`<a href="#${a}-note.fn-1" id="${a}-note.fnref-1" data-footnote-ref`);
    expect(page).toContain(`<li id="${a}-note.fn-1">`);
    expect(page).toContain(`<a href="#${a}-note.fnref-1" data-footnote-backref`);
  }
  expectUniqueIds(page);
});

test('shows an image as a link to it, and as text inside a link', async () => {
  const page = await html('![alt](http://e.org/a.png "t") [![in](b.png)](http://e.org)');

  expect(page).toContain('<a href="http://e.org/a.png" title="t">Image: alt</a>');
  expect(page).toContain('<a href="http://e.org">Image: in</a>');
});

test('shows a link that leads nowhere from here as text that tells where it led', async () => {
  expect(await html('[a](../up "t") [b](//e.org/x)')).toContain(
    '<a title="t (../up)">a</a> <a title="//e.org/x">b</a>',
  );
});

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:x',
  '&#x6A;avascript:x',
  'data:text/html,x',
  'vbscript:x',
  'foo\\):x',
])('makes no link of %s', async (url) => {
  expect(await html(`[a](${url})`)).toMatch(/<p>a \(<code>[^<]*<\/code>\)<\/p>/);
});

test('keeps direction controls from reaching past their piece of text', async () => {
  const page = await html('a \u202Eb *c \u2067d* e \u2069\u202C');

  expect(page).toContain('a b <em>c \u2067d\u2069</em> e ');
  expect(page).not.toMatch(/[\u202A-\u202E]/);
});

test('reads code from left to right in an article that reads from right to left', async () => {
  expect(await html('    code', 'ar')).toContain('<pre dir="ltr"><code>code');
});

test('shows boxes of a task list without form fields', async () => {
  const page = await html('- [x] a\n- [ ] b');

  expect(page).toContain('<li class="task">☑ a</li>\n<li class="task">☐ b</li>');
});

test('makes a class only of a code language that is a name', async () => {
  expect(await html('~~~c++ x\na\n~~~')).toContain('<code class="language-c++">a');
  expect(await html('~~~"><b>\na\n~~~')).toContain('<code>a');
});

test('cuts nesting at 50 levels and keeps what is deeper', async () => {
  const page = await html(`${'> '.repeat(49)}- ${'- '.repeat(100)}x *y*`);

  expect(page.match(/<(?:blockquote|ul|li)>/g)?.length).toBeLessThanOrEqual(51);
  expect(page).toMatch(/x <em>y<\/em>|x y/);
});
