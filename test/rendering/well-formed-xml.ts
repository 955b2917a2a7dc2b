// Whether text is well-formed XML, for the part of XML that we write: no CDATA, no comments, no entities
// of our own. Strict where a book's reader is: one wrong character and it shows nothing at all.

const LEGAL = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const ATTRIBUTE = `\\s+(${NAME})="([^"<]*)"`;
const TAG = new RegExp(`^<(/)?(${NAME})((?:${ATTRIBUTE})*)\\s*(/)?>$`, 'u');
const REFERENCE = /&(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);/g;

/** @throws Error saying what is wrong with it */
export function assertWellFormedXml(xml: string): void {
  if (!LEGAL.test(xml)) throw new Error('holds a character that XML has no place for');
  const [declaration = '', ...rest] = xml.split('\n');
  if (declaration !== '<?xml version="1.0" encoding="UTF-8"?>') throw new Error('no declaration');
  const open: string[] = [];
  const content = rest.join('\n').replace(/^<!DOCTYPE html>/, '');
  for (const [part] of content.matchAll(/<[^<>"]*(?:"[^"]*"[^<>"]*)*>|[^<]+|</g)) {
    if (!part.startsWith('<')) assertText(part, open.length === 0);
    else readTag(part, open);
  }
  if (open.length > 0) throw new Error(`never closed: ${open}`);
}

function assertText(text: string, isOutside: boolean): void {
  if (isOutside && text.trim() !== '') throw new Error(`text outside the root: ${text}`);
  if (text.includes(']]>')) throw new Error('holds ]]>');
  if (text.replace(REFERENCE, '').includes('&')) throw new Error(`a bare ampersand: ${text}`);
}

function readTag(tag: string, open: string[]): void {
  const match = TAG.exec(tag);
  if (match === null) throw new Error(`no tag: ${tag}`);
  const [, isEnd, name = '', attributes = '', , , isEmpty] = match;
  const names = Array.from(
    attributes.matchAll(new RegExp(ATTRIBUTE, 'gu')),
    ([, key, value = '']) => {
      assertText(value.replaceAll(']]>', ''), false);
      return key;
    },
  );
  if (new Set(names).size !== names.length) throw new Error(`an attribute twice: ${tag}`);
  if (isEnd !== undefined) {
    if (open.pop() !== name) throw new Error(`closes what is not open: ${tag}`);
  } else if (isEmpty === undefined) {
    open.push(name);
  }
}
