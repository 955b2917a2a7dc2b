// Text that every format can carry: XML has no place for control characters and noncharacters, and
// direction controls must not reach past the piece of text that they stand in.

/** Control characters but tab and line feed; code points that Unicode keeps for nobody. */
const ILLEGAL = /(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu;
/** Embeddings, overrides, isolates and what closes them. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/gu;
const POP_EMBEDDING = '\u202C';
const POP_ISOLATE = '\u2069';

/** The same text, with U+FFFD for what no document may contain, and direction controls balanced. */
export function cleanText(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?/g, '\n').replace(ILLEGAL, '\uFFFD');
  return lines.search(DIRECTION) >= 0 ? balanceDirection(lines) : lines;
}

/** A title on one line; `fallback` if nothing of it is left. */
export function cleanTitle(title: string, fallback: string): string {
  return cleanText(title).replace(/\s+/gu, ' ').trim() || fallback;
}

/**
 * Drops the overrides, which make text read as what it is not, and closes every embedding and isolate
 * within the text, so that what follows keeps its own direction.
 */
function balanceDirection(text: string): string {
  const open: string[] = [];
  const balanced = text.replace(DIRECTION, (control) => {
    if (control === '\u202D' || control === '\u202E') return '';
    if (control !== POP_EMBEDDING && control !== POP_ISOLATE) {
      open.push(control <= '\u202E' ? POP_EMBEDDING : POP_ISOLATE);
      return control;
    }
    if (open.at(-1) !== control) return '';
    open.pop();
    return control;
  });
  return balanced + open.reverse().join('');
}
