// One article as readable plain text of 78 columns, its links as numbered notes and its footnotes below it.

import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { labelsFor } from '#rendering/article-tree/labels.ts';
import { parseArticle } from '#rendering/article-tree/parse-article.ts';
import type { RenderInput } from '#rendering/render-input.ts';
import { blockLines, underlined } from '#rendering/text/text-blocks.ts';
import { notesOf, type TextNotes } from '#rendering/text/text-notes.ts';

/** Columns of a line: fits a terminal of 80 and a quoted mail. */
export const TEXT_COLUMNS = 78;

export function textArticle({ article }: RenderInput): string {
  const tree = parseArticle(article, { headingLevel: 1, labelPrefix: '' });
  const labels = labelsFor(article.language);
  const notes = notesOf(tree);
  const title = underlined(cleanTitle(article.title, article.id), '=', TEXT_COLUMNS);
  const body = blockLines(tree.children, notes, TEXT_COLUMNS);
  const footnotes = footnoteLines(notes);
  const links = notes.urls().map((url, index) => `[${index + 1}] ${url}`);
  return [
    title,
    body,
    footnotes.length > 0 ? [`${labels.footnotes}:`, ...footnotes] : [],
    links.length > 0 ? [`${labels.links}:`, ...links] : [],
  ]
    .filter((part) => part.length > 0)
    .map((part) => `${part.join('\n')}\n`)
    .join('\n');
}

function footnoteLines(notes: TextNotes): string[] {
  return notes.footnotes.flatMap(({ label, children }) => {
    const mark = `[^${label}] `;
    const lines = blockLines(children, notes, TEXT_COLUMNS - mark.length);
    return lines.map((line, index) =>
      ((index === 0 ? mark : ' '.repeat(mark.length)) + line).trimEnd(),
    );
  });
}
