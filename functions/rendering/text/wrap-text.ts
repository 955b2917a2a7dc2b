// Lines of at most so many columns. Words are kept whole, a long URL rather runs over the edge than gets
// cut; Chinese and Japanese break between any two characters but not before a full stop or comma; Thai and
// its neighbours, which write no spaces, break where their words end.

import { displayWidth, isWide } from '#rendering/article-tree/display-width.ts';

/** Must not begin a line, must not end one. */
const NOT_FIRST =
  /^[\p{Pe}\p{Pf}、。，．：；？！・ー々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…‥%,.:;?!]/u;
const FOOTNOTE_MARK = /^\[\^/;
/** A footnote's mark, or a character and what combines with it. */
const UNIT = /\[\^[^\]]*\]|\p{Any}\p{M}*/gu;
const NOT_LAST = /[\p{Ps}\p{Pi}]$/u;
const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

type Piece = { readonly text: string; readonly columns: number; readonly spaceBefore: boolean };

/** Wraps text whose own line feeds are kept as line breaks. */
export function wrapText(text: string, columnsMax: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columnsMax));
}

function wrapLine(line: string, columnsMax: number): string[] {
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  for (const piece of piecesOf(line)) {
    const space = piece.spaceBefore && current !== '' ? 1 : 0;
    if (current !== '' && columns + space + piece.columns > columnsMax) {
      lines.push(current);
      current = piece.text;
      columns = piece.columns;
    } else {
      current += space === 1 ? ` ${piece.text}` : piece.text;
      columns += space + piece.columns;
    }
  }
  lines.push(current);
  return lines;
}

/** What stays together on a line. A no-break space is no place to break. */
function* piecesOf(line: string): Generator<Piece> {
  for (const word of line.split(/[ \t]+/)) {
    let spaceBefore = true;
    for (const text of partsOf(word)) {
      yield { text, columns: displayWidth(text), spaceBefore };
      spaceBefore = false;
    }
  }
}

function* partsOf(word: string): Generator<string> {
  if (WITHOUT_SPACES.test(word)) {
    yield* glued(Array.from(wordSegments().segment(word), ({ segment }) => segment));
  } else if (isWide(word)) {
    yield* glued(word.match(UNIT) ?? []);
  } else if (word !== '') {
    yield word;
  }
}

/** Joins what must not be torn apart: narrow letters, and punctuation with what it belongs to. */
function* glued(parts: readonly string[]): Generator<string> {
  let held = '';
  for (const part of parts) {
    if (held !== '' && mayBreak(held, part)) {
      yield held;
      held = part;
    } else {
      held += part;
    }
  }
  if (held !== '') yield held;
}

function mayBreak(before: string, after: string): boolean {
  if (NOT_FIRST.test(after) || FOOTNOTE_MARK.test(after) || NOT_LAST.test(before)) return false;
  const last = [...before.slice(-2)].at(-1) ?? '';
  const first = after[Symbol.iterator]().next().value ?? '';
  return isWide(last) || isWide(first) || WITHOUT_SPACES.test(last + first);
}

let segmenter: Intl.Segmenter | undefined;

function wordSegments(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  return segmenter;
}
