// One Markdown document: the title on top, then the articles, a rule between them.

import { cleanTitle } from '#rendering/article-tree/clean-text.ts';
import { type ExportFile, utf8 } from '#rendering/export-file.ts';
import { markdownTitle } from '#rendering/markdown/markdown-article.ts';

const RULE = '\n---\n\n';

export const markdownFile: ExportFile = {
  hasFileTitle: ({ title }) => cleanTitle(title ?? '', '') !== '',
  async *assemble({ title }, articles) {
    const front = cleanTitle(title ?? '', '');
    if (front !== '') yield utf8(`${markdownTitle(1, front)}\n`);
    let separator = '';
    for await (const { content } of articles) {
      yield utf8(separator + content);
      separator = RULE;
    }
  },
};
