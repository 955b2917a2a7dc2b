// One plain text file: the title framed on top, then the articles, a ruled line between them.

import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { type ExportFile, utf8 } from '#rendering/export-file.ts';
import { TEXT_COLUMNS } from '#rendering/text/text-article.ts';
import { wrapText } from '#rendering/text/wrap-text.ts';

const FRAME = '='.repeat(TEXT_COLUMNS);
const RULE = `\n\n${'-'.repeat(TEXT_COLUMNS)}\n\n\n`;

export const textFile: ExportFile = {
  hasFileTitle: ({ title }) => cleanTitle(title ?? '', '') !== '',
  async *assemble({ title }, articles) {
    const front = cleanTitle(title ?? '', '');
    if (front !== '') {
      yield utf8(`${FRAME}\n${wrapText(front, TEXT_COLUMNS).join('\n')}\n${FRAME}\n\n\n`);
    }
    let separator = '';
    for await (const { content } of articles) {
      yield utf8(separator + content);
      separator = RULE;
    }
  },
};
