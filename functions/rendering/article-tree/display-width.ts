// How many columns text takes in a fixed-width view: two for East Asian wide characters and emoji, none
// for combining marks and what is invisible. An estimate that is right for what people write.

const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Emoji_Presentation}\u3000-\u303E\u30FB\u30FC\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const NARROW_ONLY = /^[\t\n -~]*$/;

/** Whether a line may be broken on either side of the character, as in Chinese and Japanese. */
export function isWide(character: string): boolean {
  return WIDE.test(character);
}

/** Columns of one line of text. */
export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (!INVISIBLE.test(character)) columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

/** `text` with spaces up to `columns`, on the side that `align` leaves free. */
export function padded(text: string, columns: number, align: 'left' | 'right' | 'center'): string {
  const free = Math.max(0, columns - displayWidth(text));
  if (align === 'right') return ' '.repeat(free) + text;
  if (align === 'left') return text + ' '.repeat(free);
  const before = Math.floor(free / 2);
  return ' '.repeat(before) + text + ' '.repeat(free - before);
}
