// What may stand in a page that is made of an article: exactly the elements that Markdown makes. Nothing
// with a script, a style, a form, a source or an event is on the list, and what is not on it is dropped.

import type { Options } from 'rehype-sanitize';

export const sanitizeSchema: Options = {
  tagNames: (
    'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre section strong sup ' +
    'table tbody td th thead tr ul'
  ).split(' '),
  attributes: {
    a: ['href', 'title', 'ariaDescribedBy', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    code: [['className', /^language-[\p{L}\p{N}_+#.-]{1,40}$/u]],
    li: [['className', 'task']],
    ol: ['start'],
    section: ['dataFootnotes'],
    td: ['align'],
    th: ['align'],
    '*': ['id'],
  },
  // IDs get the article's own prefix in a later step; a prefix here would break footnote links.
  clobber: [],
  clobberPrefix: '',
  protocols: { href: ['http', 'https', 'mailto', 'tel'] },
  ancestors: { tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tr: ['table'] },
  strip: ['script', 'style'],
};
