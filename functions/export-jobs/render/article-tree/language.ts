// What a language tag means to a document: the tag to write, and the direction of its script.

/** The tag in its canonical form; undefined when nobody said, since no `lang` is better than a false one. */
export function languageTag(language: string): string | undefined {
  const [tag] = Intl.getCanonicalLocales(language);
  return tag === undefined || tag === 'und' ? undefined : tag;
}

/** The direction of the language's script; `auto` (by the first letters) when the language is not known. */
export function directionOf(language: string): 'ltr' | 'rtl' | 'auto' {
  const tag = languageTag(language);
  if (tag === undefined) return 'auto';
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** Scripts written from right to left that have readers today or keyboards at least. */
const RIGHT_TO_LEFT = new Set(
  'Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi'.split(' '),
);
