// The page's one style sheet: a book page on paper, on a wide screen and on a phone, by day and by night.
// Distances along the line are logical (inline-start), so that right-to-left articles mirror themselves.
// It stands in a style element, so it must never hold a closing tag.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1f2328; --soft: #59636e; --paper: #fdfdfb; --shade: #f3f2ee; --line: #d9d7d0; --link: #0b57a4;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #dedbd4; --soft: #a09d96; --paper: #17181a; --shade: #222427; --line: #3b3e43; --link: #8ab8f0; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 3rem 1.5rem 6rem; max-width: 43rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.65 Charter, "Bitstream Charter", "Sitka Text", Cambria, "Noto Serif", serif;
  overflow-wrap: break-word; hyphens: auto;
}
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.9em 0 .65em; text-wrap: balance; hyphens: manual; }
h1 { font-size: 2.3rem; margin-top: 0; letter-spacing: -.01em; }
h2 { font-size: 1.75rem; } h3 { font-size: 1.3rem; } h4 { font-size: 1.1rem; } h5, h6 { font-size: 1rem; }
p, ul, ol, pre, blockquote, .table { margin: 0 0 1.1em; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:not([href]) { color: inherit; text-decoration: underline dotted var(--soft); }
ul, ol { padding-inline-start: 1.6em; }
li > ul, li > ol { margin-bottom: .2em; }
li > p { margin-bottom: .5em; }
li.task { list-style: none; margin-inline-start: -1.3em; }
blockquote { padding-inline-start: 1.1em; border-inline-start: .2rem solid var(--line); color: var(--soft); }
blockquote blockquote { padding-inline-start: .7em; }
blockquote > :last-child { margin-bottom: 0; }
code { font: .88em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; hyphens: manual; }
:not(pre) > code { background: var(--shade); border-radius: .25em; padding: .1em .3em; unicode-bidi: isolate; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: .4em; padding: .9em 1.1em; overflow-x: auto; text-align: left; line-height: 1.5; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .94em; line-height: 1.45; hyphens: manual; }
th, td { padding: .45em .9em; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { border-bottom: 2px solid var(--soft); }
td code, th code { white-space: nowrap; }
.align-center { text-align: center; } .align-right { text-align: right; }
hr { border: 0; border-top: 1px solid var(--line); width: 40%; margin: 2.5em auto; }
sup { line-height: 0; font-size: .75em; }
sup::before { content: "\\2060"; }
sup a { text-decoration: none; padding: 0 .15em; }
body > header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: .5rem; }
body > header h1 { margin-bottom: .3em; }
time { color: var(--soft); font-size: .9rem; font-variant-numeric: tabular-nums; }
nav { margin-bottom: 4rem; }
nav h2 { font-size: 1rem; color: var(--soft); margin: 0 0 .6em; }
nav ol { padding-inline-start: 1.8em; }
nav li { padding: .15em 0; }
nav li::marker { color: var(--soft); font-variant-numeric: tabular-nums; }
nav a { text-decoration: none; unicode-bidi: isolate; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
article { padding-top: 3rem; margin-top: 3rem; border-top: 1px solid var(--line); }
article:first-child { border-top: 0; margin-top: 0; padding-top: 0; }
article > :is(h1, h2):first-child { margin-top: 0; }
section[data-footnotes] { margin-top: 3em; font-size: .9em; border-top: 1px solid var(--line); }
section[data-footnotes] > :first-child { font-size: 1rem; color: var(--soft); margin: 1.2em 0 .6em; }
:target { scroll-margin-top: 1rem; }
:is(li, sup a):target { background: var(--shade); }
article:is(:lang(zh), :lang(ja), :lang(ko)) { line-height: 1.8; }
article:is(:lang(ar), :lang(fa), :lang(ur), :lang(he)) { line-height: 1.85; }
:is(:lang(zh), :lang(ja)) em { font-style: normal; text-emphasis: filled dot; }
:lang(zh) em { text-emphasis-position: under; }
:is(:lang(ar), :lang(fa), :lang(ur), :lang(he)) em { font-style: normal; text-decoration: underline; }
@media (max-width: 34rem) {
  body { padding: 1.5rem 1.1rem 4rem; font-size: 1rem; }
  h1 { font-size: 1.8rem; } h2 { font-size: 1.45rem; }
  pre { padding: .7em .8em; }
}
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --shade: #f5f5f5; --line: #bbb; --link: #000; color-scheme: light; }
  @page { margin: 2cm; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  article { break-before: page; border: 0; margin: 0; padding: 0; }
  body > main:first-child > article:first-child { break-before: auto; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; }
  pre, tr, blockquote { break-inside: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .table { overflow: visible; }
  td code, th code { white-space: normal; }
  article a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em; overflow-wrap: anywhere; }
  a[data-footnote-backref] { display: none; }
}
`;
