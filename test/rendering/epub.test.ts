// The book as an archive: what stands where, and what it says of itself. That it is a valid EPUB 3 is
// checked by epubcheck, in `.ci/formats`.

import { expect, test } from 'vitest';
import { hostileArticles } from '#test/rendering/hostile-articles.ts';
import { expectNothingAlive, expectUniqueIds } from '#test/rendering/page-facts.ts';
import { article, renderedBytes } from '#test/rendering/rendered.ts';
import { unzipped } from '#test/rendering/unzipped.ts';
import { assertWellFormedXml } from '#test/rendering/well-formed-xml.ts';

async function bookOf(...[articles, more]: [Parameters<typeof renderedBytes>[1], object?]) {
  const entries = unzipped(await renderedBytes('epub', articles, more));
  const textOf = (path: string) =>
    entries.find((entry) => entry.path === path)?.bytes.toString() ?? '';
  return { entries, textOf };
}

test('begins with its media type, stored and without extra fields', async () => {
  const archive = await renderedBytes('epub', [article('x')]);
  const [first] = unzipped(archive);

  expect(archive.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip');
  expect(first).toMatchObject({ path: 'mimetype', isStored: true, extraBytes: 0 });
});

test('has a page an article, in order, after the contents', async () => {
  const { entries, textOf } = await bookOf([
    article('x'),
    article('y', { id: 'b', title: 'B & C' }),
  ]);

  expect(entries.map(({ path }) => path)).toEqual([
    'mimetype',
    'META-INF/container.xml',
    'book/style.css',
    'book/a1.xhtml',
    'book/a2.xhtml',
    'book/contents.xhtml',
    'book/package.opf',
  ]);
  expect(textOf('book/package.opf')).toContain(
    '<spine><itemref idref="contents" /><itemref idref="a1" /><itemref idref="a2" /></spine>',
  );
  expect(textOf('book/contents.xhtml')).toContain(
    '<a href="a2.xhtml" lang="und" xml:lang="und" dir="auto">B &#x26; C</a>',
  );
});

test('names its languages, the one of the job first, and its direction', async () => {
  const articles = [article('x', { language: 'en' }), article('y', { language: 'ar' })];

  const arabic = await bookOf(articles, { language: 'ar', title: 'T' });
  const unknown = await bookOf([article('x')]);

  expect(arabic.textOf('book/package.opf')).toContain(
    '<dc:language>ar</dc:language><dc:language>en</dc:language>',
  );
  expect(arabic.textOf('book/package.opf')).toContain('<spine page-progression-direction="rtl">');
  expect(arabic.textOf('book/a1.xhtml')).toContain('lang="en" xml:lang="en" dir="ltr"');
  expect(unknown.textOf('book/package.opf')).toContain('<dc:language>und</dc:language>');
});

test('is the same book for the same articles, and another one for others', async () => {
  const identifierOf = async (markdown: string) =>
    /<dc:identifier id="book-id">(urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})</.exec(
      (await bookOf([article(markdown)])).textOf('book/package.opf'),
    )?.[1];

  expect(await identifierOf('x')).toBeDefined();
  expect(await identifierOf('x')).toBe(await identifierOf('x'));
  expect(await identifierOf('x')).not.toBe(await identifierOf('y'));
});

test('marks footnotes, so that a reader can show them in place', async () => {
  const page = (await bookOf([article('x[^1]\n\n[^1]: y')])).textOf('book/a1.xhtml');

  expect(page).toMatch(/<a href="#p3"[^>]* epub:type="noteref">1<\/a>/);
  expect(page).toContain('epub:type="footnotes"');
  expect(page).toContain('<li id="p3" epub:type="footnote">');
});

test('holds hostile articles as well-formed pages with nothing alive in them', async () => {
  const { entries } = await bookOf(hostileArticles(), { title: ']]> & <x>' });

  for (const { path, bytes } of entries.filter((entry) => /xhtml|opf/.test(entry.path))) {
    assertWellFormedXml(bytes.toString());
    if (!path.endsWith('.xhtml')) continue;
    expectNothingAlive(bytes.toString());
    expectUniqueIds(bytes.toString());
  }
});
