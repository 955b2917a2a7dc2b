// An article's Markdown as a tree that every format can be made from: CommonMark and GFM, with all text
// clean, raw HTML shown as text, images as links, no heading twice and none skipped, footnotes numbered.
// What comes out holds nothing alive: no HTML, no image, no link that could do more than open a page.

import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { cleanTree } from '#rendering/article-tree/clean-tree.ts';
import { dropRepeatedTitle, levelHeadings } from '#rendering/article-tree/headings.ts';
import { imagesToLinks } from '#rendering/article-tree/images-to-links.ts';
import { joinWideLines } from '#rendering/article-tree/join-lines.ts';
import { labelsFor } from '#rendering/article-tree/labels.ts';
import { limitNesting } from '#rendering/article-tree/limit-nesting.ts';
import { showRawHtml } from '#rendering/article-tree/raw-html.ts';
import { renameReferences } from '#rendering/article-tree/references.ts';
import { settleLinks } from '#rendering/article-tree/settle-links.ts';
import type { RenderableArticle } from '#rendering/export-request.ts';

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

export type ArticleTreeOptions = {
  /** Level of the article's first headings: one below its title. */
  readonly headingLevel: number;
  /** Goes before each label of a reference or footnote, so that articles in one file never collide. */
  readonly labelPrefix: string;
};

export function parseArticle(article: RenderableArticle, options: ArticleTreeOptions): Root {
  const tree = parser.parse(article.markdown.toWellFormed());
  limitNesting(tree);
  cleanTree(tree);
  joinWideLines(tree);
  showRawHtml(tree);
  imagesToLinks(tree, labelsFor(article.language).image);
  settleLinks(tree);
  dropRepeatedTitle(tree, article.title);
  levelHeadings(tree, options.headingLevel);
  renameReferences(tree, options.labelPrefix);
  return tree;
}
