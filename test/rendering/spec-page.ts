// One example of the CommonMark specification as our page shows it, and as the specification has it once
// the page's own rules are applied: what is compared is then the same text or a real difference.

import type { Element } from 'hast';
import { linkTargetOf, shownTarget } from '#rendering/article-tree/link-target.ts';
import { articlePage } from '#rendering/html/article-page.ts';
import { element } from '#rendering/html/element.ts';
import { htmlOf } from '#rendering/html/write-html.ts';

/** Our page for the Markdown, without the IDs, and with headings of no level: both are the file's own. */
export function ourPage(markdown: string): string {
  const article = { id: 'spec', title: 'spec', markdown, language: 'und' };
  const page = articlePage(article, { headingLevel: 1, idOf: (name) => name });
  return canonical(htmlOf(element('main', {}, ...(page.children as Element[]))).slice(6, -7))
    .replace(/<(h\d) id="[^"]*">/g, '<$1>')
    .replace(/(<\/?h)\d>/g, '$1>');
}

/** What the specification expects, with images as links and links that lead nowhere as what we show. */
export function expectedPage(html: string): string {
  return canonical(html)
    .replace(/<a href="[^"]*"[^>]*>.*?<\/a>/gs, (link) => link.replace(IMAGE, '$2'))
    .replace(IMAGE, (_, src, text, title = '') => `<a href="${src}"${title}>${text}</a>`)
    .replace(/<a href="([^"]*)"(?: title="([^"]*)")?>(.*?)<\/a>/gs, (_, href, title, text) =>
      expectedLink(href, title, text),
    )
    .replace(/(<\/?h)\d>/g, '$1>');
}

const IMAGE = /<img src="([^"]*)" alt="([^"]*)"( title="[^"]*")?>/g;

function expectedLink(href: string, title: string | undefined, text: string): string {
  const { kind } = linkTargetOf(unescaped(href));
  const titled = title === undefined ? '' : ` title="${title}"`;
  if (kind === 'absolute') return `<a href="${href}"${titled}>${text}</a>`;
  const target = escaped(shownTarget(unescaped(href)));
  if (kind === 'inert')
    return text === target ? `<code>${target}</code>` : `${text} (<code>${target}</code>)`;
  return `<a title="${title === undefined ? target : `${title} (${target})`}">${text}</a>`;
}

/** One spelling of what may be spelt in several ways: references, void elements, space around blocks. */
function canonical(html: string): string {
  return html
    .split(/(<\/?[a-z][^<>]*>)/)
    .map((part, index) => (index % 2 === 0 ? escaped(unescaped(part)) : canonicalTag(part)))
    .join('')
    .replace(
      /<img src="[^"]*" alt="/g,
      (start) => `${start}${start.endsWith('alt=""') ? '' : 'Image: '}`,
    )
    .replace(/alt="Image: "/g, 'alt="Image"')
    .replace(/\s*\n\s*(?=<)|(?<=>)\s*\n\s*/g, '\n')
    .trim();
}

function canonicalTag(tag: string): string {
  return tag
    .replace(/ \/>$/, '>')
    .replace(/^<pre dir="ltr">$/, '<pre>')
    .replace(/"([^"]*)"/g, (_, value) => `"${escaped(unescaped(value))}"`);
}

function unescaped(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

function escaped(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
