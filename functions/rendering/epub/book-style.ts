// The book's style sheet: little, since the reader's own settings come first; no font, no color but lines.

export const BOOK_STYLE = `body { line-height: 1.5; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 .6em; break-after: avoid; }
h1 { margin-top: 0; }
a:not([href]) { text-decoration: underline dotted; }
li.task { list-style: none; }
blockquote { margin: 1em 0; padding-inline-start: 1em; border-inline-start: .2em solid; }
code { font-family: monospace; font-size: .9em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; font-size: .9em; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9em; }
th, td { padding: .3em .6em; border: 1px solid; text-align: start; vertical-align: top; }
.align-center { text-align: center; }
.align-right { text-align: right; }
sup { line-height: 0; }
section[data-footnotes] { margin-top: 2em; font-size: .9em; }
`;
