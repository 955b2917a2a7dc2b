// GET /docs: the promise in a table, then the OpenAPI document by Swagger UI.

import { htmlEscape } from 'escape-goat';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import type { HttpAnswer } from '#http/answer.ts';
import { htmlPage, withCode } from '#http/pages/html-page.ts';
import { PROMISE, type PromiseRow } from '#http/pages/promise.ts';

export function docsPage(): HttpAnswer {
  return htmlPage({
    title: 'export-once: the contract',
    root: '',
    head: `<link rel="stylesheet" href="docs/swagger-ui.css">\n`,
    body: `<main class="ours">
<h1>export-once</h1>
<p class="lead">Export articles once: retry anything, at any time, and never get a second job.</p>
<p>An <b>intent</b> is one wish of yours; an <b>attempt</b> is one request. The <code>Idempotency-Key</code>
names the intent and stays the same on every attempt: make it once, store it, send it each time.
A UUIDv7 is best. Read this page as <a href="openapi.json">OpenAPI 3.1</a>, the limits at
<a href="v1/capabilities">/v1/capabilities</a>.</p>
<h2>The promise</h2>
<table class="promise">
<thead><tr><th scope="col">Situation</th><th scope="col">Answer</th><th scope="col">What it means</th></tr></thead>
<tbody>
${PROMISE.map(rowHtml).join('\n')}
</tbody>
</table>
<h2>Problem codes</h2>
<ul class="codes">
${PROBLEM_CODES.map((code) => `<li>${PROBLEMS[code].status} ${linkTo(code)}</li>`).join('\n')}
</ul>
</main>
<div id="openapi"></div>
<script src="docs/swagger-ui.js"></script>
<script src="docs/page.js"></script>`,
  });
}

function rowHtml({ situation, answers, meaning }: PromiseRow): string {
  const shown = answers.map((answer) => `<span class="code">${answerHtml(answer)}</span>`);
  return `<tr><th scope="row">${htmlEscape(situation)}</th><td>${shown.join(' ') || 'none of ours'}</td><td>${withCode(meaning)}</td></tr>`;
}

function answerHtml(answer: string): string {
  const [status = '', code] = answer.split(' ');
  return code ? `${status} ${linkTo(code as ProblemCode)}` : status;
}

function linkTo(code: ProblemCode): string {
  return `<a href="problems/${code}"><code>${code}</code></a>`;
}
