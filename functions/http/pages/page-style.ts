// The style of our pages: readable on a phone, in light and in dark. One file, since the content security
// policy of the pages allows no inline style.

export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c1f24; --soft: #555c66; --paper: #fff; --line: #d9dde3; --band: #f4f6f8; --link: #0b57b0; --good: #17693a; --bad: #a3241d; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --soft: #a8b0ba; --paper: #16181c; --line: #353a42; --band: #1f2329; --link: #82b4ff; --good: #74cf95; --bad: #ff9b92; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
.ours { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem; }
.ours h1 { margin: 0 0 .25rem; font-size: 1.9rem; line-height: 1.2; overflow-wrap: anywhere; }
.ours h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
.ours p { margin: .5rem 0; max-width: 44rem; }
.ours a { color: var(--link); }
.lead { color: var(--soft); font-size: 1.1rem; }
code { font: .9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.promise { width: 100%; border-collapse: collapse; margin-top: .75rem; }
.promise th, .promise td { padding: .6rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
.promise th { color: var(--soft); font-size: .85rem; font-weight: 600; }
.promise tbody th { color: var(--ink); font-size: 1rem; font-weight: 400; width: 30%; }
.promise td:nth-child(2) { width: 29%; }
.code { display: inline-block; padding: .05rem .4rem; margin: .1rem .2rem .1rem 0; border: 1px solid var(--line); border-radius: .3rem; background: var(--band); }
.facts { margin: 1.5rem 0; padding: 0; }
.facts dt { margin-top: 1.25rem; color: var(--soft); font-size: .9rem; }
.facts dd { margin: .15rem 0 0; max-width: 44rem; }
.codes { columns: 16rem; padding-left: 1.1rem; }
.codes li { break-inside: avoid; margin-bottom: .3rem; }
@media (max-width: 40rem) {
  .ours { padding: 1.25rem 1rem; }
  .promise, .promise tbody, .promise tr, .promise th, .promise td { display: block; width: auto !important; }
  .promise thead { display: none; }
  .promise tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  .promise th, .promise td { padding: .15rem 0; border: 0; }
  .promise tbody th { font-weight: 600; }
}
.swagger-ui .wrapper { max-width: 60rem; padding: 0 1.25rem; }
html.dark-mode body { background: var(--paper); }
html.dark-mode .swagger-ui .header-col { color: var(--soft); }
`;

/** Starts Swagger UI on the document of the same host, in the colours that the reader prefers. */
export const DOCS_SCRIPT = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  dom_id: '#openapi',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;
