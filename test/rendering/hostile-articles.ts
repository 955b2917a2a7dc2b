// Markdown that was written to do harm, or looks like it: each must end as a file that does none. All of
// these render within the limits; what does not is in the tests of the thread.

import type { RenderableArticle } from '#rendering/export-request.ts';

const HOSTILE: Readonly<Record<string, string>> = {
  script:
    '<script>alert(1)</script>\n\nText <script>alert(2)</script> <img src=x onerror=alert(3)>',
  'event-handlers':
    '<a href="#" onclick="alert(1)">x</a>\n\n<svg onload=alert(1)>\n\n<details open ontoggle=alert(1)>',
  'code-links':
    '[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>) [c](vbscript:x)\n' +
    '[d](JaVaScRiPt&#58;alert(1)) [e](&#x01;javascript:alert(1)) [f](java&#10;script:alert(1)) [g][g] <javascript:alert(1)>\n' +
    '![h](javascript:alert(1)) [![i](data:image/svg+xml,x)](javascript:alert(1))\n\n[g]: javascript:alert(1)',
  'style-and-cdata':
    '</style><script>alert(1)</script> ]]> <![CDATA[ x ]]> <?php x ?> <!DOCTYPE x> --> <!-- -- \n\n`</style>` `]]>` `-->`',
  'unclosed-html':
    '<div><table><!--\n\nSwallowed? <textarea><title><plaintext>\n\n```html\n<script>\n```',
  'page-breaking':
    '</article></main></body></html>\n\n</p></section>\n\n\\</article> &lt;/article&gt; &#60;/article&#62;',
  entities:
    '&#0; &#x0C; &#x1F; &#x7F; &#x85; &#xD800; &#xFFFE; &#x10FFFF; &nbsp; &unknown; &amp;lt;script&amp;gt;',
  controls:
    'NUL \u0000 bell \u0007 escape \u001B[31m form \f vertical \v delete \u007F next \u0085 end\n\n    code \u0000 \u000C\n\n`\u0001`',
  surrogates: `lone \uD800 high, lone \uDC00 low, \uFFFE \uFFFF, ${String.fromCodePoint(0x1fffe)}\n\n[x](http://e.org/\uD800)`,
  bidi: 'override \u202Ereversed, isolate \u2067 open, embedding \u202B open, pops \u202C\u2069\u2069 too many\n\n# \u202Egnidaeh\n\n`\u202Eedoc`\n\n[\u202Eknil](http://e.org "\u202Etitle")',
  zalgo:
    'Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030A\u030B a\u200B\u200C\u200D\uFEFFb',
  headings:
    '# Same\n\n# Same\n\n## Same-1\n\n###### Deep\n\n# \n\n# !!!\n\n# footnote label\n\n# fn 1\n\n# note.fn-1\n\n# 標題 😀 \u00B2 ª\n\n#\n\n[a](#same) [b](#same-1) [c](#) [d](#nowhere) [e](#%) [f](#note.fn-1) [g](#標題--²-ª)',
  'same-headings': '# Same\n\n# footnote label\n\nText[^1] and [same](#same).\n\n[^1]: Note.',
  footnotes: `${Array.from({ length: 300 }, (_, i) => `[^${i % 40}]`).join(' ')} [^self] [^\uD83D\uDE00] [l[^1]](http://e.org)\n\n${Array.from({ length: 40 }, (_, i) => `[^${i}]: Note ${i} [^${(i + 1) % 40}]`).join('\n')}\n[^self]: me [^self]\n[^\uD83D\uDE00]: <b>`,
  references:
    '[a][x] [x][] [x] [y] [ẞ] [ss]\n\n[x]: http://e.org/1\n[x]: javascript:alert(1)\n[y]: javascript:alert(1)\n[y]: http://e.org/2\n[SS]: /three "t\\"t"',
  links:
    '[a](<http://exa mple.org/a b>) [b](http://e.org/%zz|^`{}\\[]) [c](http://[::1]/x) [d](http://:80) [e](//e.org/x) [f](mailto:a b@c) [g](http://e.org/é?ü#ß) [h](tel:+1-2) [i](HTTP://E.ORG) [j](http:/x) [k](https:) [l](http://e.org/"\'<>) www.e.org a@e.org [m](file:///etc/passwd) [n](../up) [o](?q) [p]()',
  images:
    '![](http://e.org/pixel.gif) ![alt *x*](http://e.org/a.png "title") [![in](a.png)](http://e.org) ![ref][r]\n\n[r]: http://e.org/r.png',
  tables: `| ${Array.from({ length: 60 }, (_, i) => `h${i}`).join(' | ')} |\n|${':-:|'.repeat(60)}\n${`| ${'cell \\| x | '.repeat(70)}\n`.repeat(40)}\n\n| a |\n|---|\n\n| <b> | [^1] |\n|--|--|\n| ![x](y) | <br> |`,
  lists: `${'- '.repeat(300)}x\n\n99999999\\. x\n\n999999999. x\n0. y\n\n- [ ]\n- [x] \n- [ ] a\n\n  b\n-\n\n* * *\n- - -\n+ +`,
  quotes: `${'> '.repeat(2000)}x\n\n${'>'.repeat(400)} - # a`,
  emphasis: `${'*a **b '.repeat(300)}${'_*'.repeat(400)}x ${'~~'.repeat(200)} ${'['.repeat(500)} ${'`'.repeat(300)}`,
  code: '```js onload="x" <script>\n```\n\n~~~\u0000"><script>\nx\n~~~\n\n``` \n\nunclosed',
  'only-comment': '<!-- nothing -->',
  empty: '',
  spaces: ' \t\n\u00A0\n\u3000\n',
  'markdown-signs':
    '\\# not a heading\n\n1986\\. A year\n\n\\* star \\[link\\]\\(x\\) \\`code\\` \\| pipe \\~ tilde \\_ \\<b\\> &amp; http&#58;//e.org _a_b_ *a*b 2*3*4 +\n\n\\+ plus\n\n\\---\n\nSetext\\\n===\n\n| not | a table\n\n:--',
};

/** One article for each, under a title that is hostile as well. */
export function hostileArticles(): RenderableArticle[] {
  return Object.entries(HOSTILE).map(([id, markdown], index) => ({
    id,
    title: TITLES[index % TITLES.length] ?? id,
    markdown,
    language: LANGUAGES[index % LANGUAGES.length] ?? 'und',
  }));
}

const TITLES = [
  '<script>alert(1)</script>',
  '" onload="alert(1)',
  ' \t ',
  '\u202Eeltit',
  ']]> </title></style> -->',
  '# *a* [b](javascript:x) `c`\nd',
  '\u0000\u0007',
  '標題 & عنوان',
];
const LANGUAGES = ['und', 'ar', 'zh-Hant', 'en', 'en-u-ca-buddhist', 'ur', 'zh-yue', 'de-1996'];
