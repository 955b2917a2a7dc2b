// One EPUB 3 book, a page an article, written as it is rendered: contents and package come last in the
// archive, when all titles are known. No remote resource, no script, no font, no image.

import { createHash } from 'node:crypto';
import { STYLE_PATH } from '#rendering/epub/book-page.ts';
import { BOOK_STYLE } from '#rendering/epub/book-style.ts';
import { navigationPage } from '#rendering/epub/navigation-page.ts';
import {
  type BookArticle,
  NAVIGATION_PATH,
  packageDocument,
} from '#rendering/epub/package-document.ts';
import { xmlDocument, xmlElement } from '#rendering/epub/write-xml.ts';
import { type ZipEntry, zipStream } from '#rendering/epub/zip-stream.ts';
import type { AssembledArticle, ExportFile } from '#rendering/export-file.ts';
import type { ExportRequest } from '#rendering/export-request.ts';
import { contentTypeOf } from '#rendering/file-kind.ts';
import { fileTitle } from '#rendering/html/file-title.ts';

const FOLDER = 'book';
const PACKAGE_PATH = `${FOLDER}/package.opf`;

export const epubFile: ExportFile = {
  hasFileTitle: () => false,
  assemble: (request, articles) => zipStream(bookEntries(request, articles), request.createdAtMs),
};

async function* bookEntries(
  request: ExportRequest,
  rendered: AsyncIterable<AssembledArticle>,
): AsyncGenerator<ZipEntry, void, undefined> {
  yield { path: 'mimetype', text: contentTypeOf('epub'), isStored: true };
  yield { path: 'META-INF/container.xml', text: containerDocument() };
  yield { path: `${FOLDER}/${STYLE_PATH}`, text: BOOK_STYLE };
  const hash = createHash('sha256');
  const articles: BookArticle[] = [];
  for await (const { number, article, content } of rendered) {
    const path = `a${number}.xhtml`;
    articles.push({ id: article.id, title: article.title, language: article.language, path });
    hash.update(content).update('\0');
    yield { path: `${FOLDER}/${path}`, text: content };
  }
  const title = fileTitle(request, articles);
  const { language, createdAtMs } = request;
  const contents = navigationPage(title, language, articles);
  const identifier = contentUrn(hash.update(contents).digest());
  yield { path: `${FOLDER}/${NAVIGATION_PATH}`, text: contents };
  yield {
    path: PACKAGE_PATH,
    text: packageDocument({ title, language, identifier, createdAtMs, articles }),
  };
}

function containerDocument(): string {
  const rootfile = { 'full-path': PACKAGE_PATH, 'media-type': 'application/oebps-package+xml' };
  return xmlDocument(
    xmlElement(
      'container',
      { version: '1.0', xmlns: 'urn:oasis:names:tc:opendocument:xmlns:container' },
      xmlElement('rootfiles', {}, xmlElement('rootfile', rootfile)),
    ),
  );
}

/** A UUID of version 8 (RFC 9562), whose bits are those of the hash. */
function contentUrn(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return `urn:uuid:${hex}`;
}
