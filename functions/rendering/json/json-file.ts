// One JSON document: { title?, language, articles: [{ id, title, language, markdown }] }, an article a line.

import { type ExportFile, utf8 } from '#rendering/export-file.ts';

export const jsonFile: ExportFile = {
  hasFileTitle: () => false,
  async *assemble(request, articles) {
    const { title, language } = request;
    const front = JSON.stringify(title === undefined ? { language } : { title, language });
    yield utf8(`${front.slice(0, -1)},"articles":[`);
    let separator = '\n';
    for await (const { content } of articles) {
      yield utf8(separator + content);
      separator = ',\n';
    }
    yield utf8('\n]}\n');
  },
};
