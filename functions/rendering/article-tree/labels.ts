// The few words that the files say themselves, in the language of what they stand in, else in English.
// A word that is not in the article's own language must say so, so the language comes with the words.

import { isKnownLanguage, languageTag } from '#rendering/article-tree/language.ts';

export type Labels = {
  /** The language of the words below. */
  readonly language: string;
  readonly contents: string;
  readonly articles: string;
  readonly image: string;
  readonly footnotes: string;
  readonly links: string;
  readonly backToReference: string;
};

const ENGLISH: Labels = {
  language: 'en',
  contents: 'Contents',
  articles: 'Articles',
  image: 'Image',
  footnotes: 'Footnotes',
  links: 'Links',
  backToReference: 'Back to reference',
};

const LABELS: Readonly<Record<string, Omit<Labels, 'language'>>> = {
  ar: {
    contents: 'المحتويات',
    articles: 'المقالات',
    image: 'صورة',
    footnotes: 'الحواشي',
    links: 'الروابط',
    backToReference: 'العودة إلى المرجع',
  },
  de: {
    contents: 'Inhalt',
    articles: 'Artikel',
    image: 'Bild',
    footnotes: 'Fußnoten',
    links: 'Verweise',
    backToReference: 'Zurück zur Stelle',
  },
  es: {
    contents: 'Índice',
    articles: 'Artículos',
    image: 'Imagen',
    footnotes: 'Notas al pie',
    links: 'Enlaces',
    backToReference: 'Volver a la referencia',
  },
  fr: {
    contents: 'Sommaire',
    articles: 'Articles',
    image: 'Image',
    footnotes: 'Notes de bas de page',
    links: 'Liens',
    backToReference: 'Retour au renvoi',
  },
  ja: {
    contents: '目次',
    articles: '記事',
    image: '画像',
    footnotes: '脚注',
    links: 'リンク',
    backToReference: '参照箇所へ戻る',
  },
  'zh-Hans': {
    contents: '目录',
    articles: '文章',
    image: '图片',
    footnotes: '脚注',
    links: '链接',
    backToReference: '返回引用处',
  },
  'zh-Hant': {
    contents: '目錄',
    articles: '文章',
    image: '圖片',
    footnotes: '註腳',
    links: '連結',
    backToReference: '返回引用處',
  },
};

/** The words for a language tag; English for `und` and for what is not known here. */
export function labelsFor(language: string): Labels {
  if (!isKnownLanguage(language)) return ENGLISH;
  const { language: base, script } = new Intl.Locale(languageTag(language)).maximize();
  for (const key of [`${base}-${script}`, `${base}`]) {
    const words = LABELS[key];
    if (words !== undefined) return { language: key, ...words };
  }
  return ENGLISH;
}
