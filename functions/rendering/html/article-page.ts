// An article's Markdown as a sanitised tree of HTML elements, for the web page and for the book. Every ID
// is the article's own, every link leads somewhere or is no link, and nothing in it is alive.

import type { Element, ElementContent, Root } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { type Labels, labelsFor } from '#rendering/article-tree/labels.ts';
import { parseArticle } from '#rendering/article-tree/parse-article.ts';
import type { RenderableArticle } from '#rendering/export-request.ts';
import { namePlaces } from '#rendering/html/named-places.ts';
import { setOutCode } from '#rendering/html/page-code.ts';
import { setOutLinks } from '#rendering/html/page-links.ts';
import { setOutTables } from '#rendering/html/page-tables.ts';
import { sanitizeSchema } from '#rendering/html/sanitize-schema.ts';
import { showTaskBoxes } from '#rendering/html/task-boxes.ts';

export type ArticlePageOptions = {
  /** Level of the article's first headings: one below its title. */
  readonly headingLevel: number;
  /** The ID to write for a place, given the name it has within the article; always the same for a name. */
  readonly idOf: (name: string) => string;
};

export function articlePage(article: RenderableArticle, options: ArticlePageOptions): Root {
  const { headingLevel, idOf } = options;
  const markdown = parseArticle(article, { headingLevel, labelPrefix: '' });
  showTaskBoxes(markdown);
  const page = pageOf(markdown, article.language, headingLevel);
  setOutCode(page);
  setOutTables(page);
  setOutLinks(page, namePlaces(page, idOf));
  return page;
}

function pageOf(tree: MarkdownRoot, language: string, headingLevel: number): Root {
  const labels = labelsFor(language);
  return unified()
    .use(remarkRehype, {
      clobberPrefix: '',
      footnoteLabel: labels.footnotes,
      footnoteLabelTagName: `h${Math.min(headingLevel, 6)}`,
      footnoteLabelProperties: {},
      footnoteBackLabel: (index, again) =>
        `${labels.backToReference} ${index + 1}${again > 1 ? `-${again}` : ''}`,
    })
    .use(rehypeSanitize, sanitizeSchema)
    .use(() => (page: Root) => setApartFootnotes(page, labels, language))
    .use(rehypeSlug)
    .runSync(tree) as Root;
}

/**
 * Moves the names that the footnotes take out of the way of those that headings get: no slug has a dot.
 * Says which language their label is in, if not the article's own.
 */
function setApartFootnotes(page: Root, labels: Labels, language: string): void {
  const pending: Array<Root | ElementContent> = [page];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'root' && node.type !== 'element') continue;
    if (node.type === 'element') setApart(node, labels, language);
    pending.push(...(node.children as ElementContent[]));
  }
}

function setApart({ properties }: Element, labels: Labels, language: string): void {
  if (properties.id === 'footnote-label' && !language.startsWith(labels.language.slice(0, 2))) {
    properties.lang = labels.language;
  }
  if (typeof properties.id === 'string') properties.id = `note.${properties.id}`;
  if (properties.ariaDescribedBy !== undefined)
    properties.ariaDescribedBy = ['note.footnote-label'];
  if ('dataFootnoteRef' in properties || 'dataFootnoteBackref' in properties) {
    properties.href = `#note.${String(properties.href).slice(1)}`;
  }
}
