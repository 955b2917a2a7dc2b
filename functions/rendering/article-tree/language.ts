// What a language tag means to a document: the tag to write, and the direction of its script.

/** What to write when nobody said: an article in a file of another language must not take that one. */
const UNKNOWN = 'und';

/** The tag in its canonical form; `und` when nobody said, or when it is no tag that a document may carry. */
export function languageTag(language: string): string {
  try {
    return new Intl.Locale(language).toString();
  } catch {
    return UNKNOWN;
  }
}

export function isKnownLanguage(language: string): boolean {
  return languageTag(language) !== UNKNOWN;
}

/** The direction of the language's script; `auto` (by the first letters) when the language is not known. */
export function directionOf(language: string): 'ltr' | 'rtl' | 'auto' {
  const tag = languageTag(language);
  if (tag === UNKNOWN) return 'auto';
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** Scripts written from right to left that have readers today or keyboards at least. */
const RIGHT_TO_LEFT = new Set(
  'Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi'.split(' '),
);
