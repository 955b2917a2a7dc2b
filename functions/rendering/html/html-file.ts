// One HTML page that stands alone: no script, no image, no font, no request to anybody, and a policy in it
// that forbids them all. The table of contents comes first, but the titles are known only when the last
// article was read: until then the rendered articles wait, deflated.

import { createHash } from 'node:crypto';
import type { Element } from 'hast';
import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { labelsFor } from '#rendering/article-tree/labels.ts';
import { directionOf, languageTag } from '#rendering/article-tree/language.ts';
import { type ExportFile, utf8 } from '#rendering/export-file.ts';
import type { ExportRequest, RenderableArticle } from '#rendering/export-request.ts';
import { deflatedText, inflatedBytes } from '#rendering/html/deflated-text.ts';
import { element } from '#rendering/html/element.ts';
import { fileTitle } from '#rendering/html/file-title.ts';
import { articleElementId } from '#rendering/html/html-article.ts';
import { PAGE_STYLE } from '#rendering/html/page-style.ts';
import { htmlOf, openingTagOf } from '#rendering/html/write-html.ts';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');
/** Nothing may be loaded, run, framed or sent; the one style is named by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

type Title = Pick<RenderableArticle, 'id' | 'title' | 'language'>;

export const htmlFile: ExportFile = {
  hasFileTitle: ({ title, articleCount }) => title !== undefined || articleCount > 1,
  async *assemble(request, articles) {
    const titles: Title[] = [];
    const waiting: Buffer[] = [];
    for await (const { article, content } of articles) {
      titles.push({ id: article.id, title: article.title, language: article.language });
      waiting.push(deflatedText(`${content}\n`));
    }
    yield utf8(pageStart(request, titles));
    for (const article of waiting) yield inflatedBytes(article);
    yield utf8('</main>\n</body>\n</html>\n');
  },
};

function pageStart(request: ExportRequest, titles: readonly Title[]): string {
  const lang = languageTag(request.language);
  const html = element('html', { lang, dir: directionOf(request.language) });
  const title = fileTitle(request, titles);
  const header = htmlFile.hasFileTitle(request) ? `${htmlOf(fileHeader(request, title))}\n` : '';
  const contents = titles.length > 1 ? `${htmlOf(contentsOf(request, titles))}\n` : '';
  return (
    `<!DOCTYPE html>\n${openingTagOf(html)}\n${htmlOf(headOf(title))}\n` +
    `<body>\n${header}${contents}<main>\n`
  );
}

function headOf(title: string): Element {
  const meta = (properties: Record<string, string>) => element('meta', properties);
  return element(
    'head',
    {},
    meta({ charSet: 'utf-8' }),
    meta({ httpEquiv: 'Content-Security-Policy', content: POLICY }),
    meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    meta({ name: 'color-scheme', content: 'light dark' }),
    meta({ name: 'referrer', content: 'no-referrer' }),
    element('title', {}, title),
    element('style', {}, PAGE_STYLE),
  );
}

function fileHeader({ createdAtMs }: ExportRequest, title: string): Element {
  const day = new Date(createdAtMs).toISOString().slice(0, 10);
  return element(
    'header',
    {},
    element('h1', { dir: 'auto' }, title),
    element('p', {}, element('time', { dateTime: day }, day)),
  );
}

function contentsOf({ language }: ExportRequest, titles: readonly Title[]): Element {
  const labels = labelsFor(language);
  const entries = titles.map((article, index) =>
    element(
      'li',
      {},
      element(
        'a',
        {
          href: `#${articleElementId(index + 1)}`,
          lang: languageTag(article.language),
          dir: directionOf(article.language),
        },
        cleanTitle(article.title, article.id),
      ),
    ),
  );
  const heading = element('h2', { id: 'contents', lang: labels.language }, labels.contents);
  return element('nav', { ariaLabelledBy: ['contents'] }, heading, element('ol', {}, ...entries));
}
