// GET /problems/{code}: what happened, was anything executed, what to do next; as a page and as JSON.

import { htmlEscape } from 'escape-goat';
import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { PROBLEM_EXPLANATIONS, type ProblemExplanation } from '#contract/problem-explanations.ts';
import type { HttpAnswer } from '#http/answer.ts';
import { htmlPage, withCode } from '#http/pages/html-page.ts';

/** Said of the codes that come with the header, and of no other. */
const WHEN = 'Retry-After tells how many seconds to wait first.';

export function problemExplanation(code: ProblemCode): ProblemExplanation {
  const { title, status, retryAfterMs } = PROBLEMS[code];
  const { happened, executed, next } = PROBLEM_EXPLANATIONS[code];
  const when = retryAfterMs === undefined ? '' : ` ${WHEN}`;
  return { code, status, title, happened, executed, next: `${next}${when}` };
}

export function problemPage(code: ProblemCode): HttpAnswer {
  const { status, title, happened, executed, next } = problemExplanation(code);
  return htmlPage({
    title: `${code}: ${title}`,
    root: '../',
    body: `<main class="ours">
<p><a href="../docs">export-once</a></p>
<h1>${htmlEscape(title)}</h1>
<p class="lead"><span class="code">${status}</span> <code>${code}</code></p>
<dl class="facts">
<dt>What happened</dt><dd>${withCode(happened)}</dd>
<dt>Was anything executed</dt><dd>${withCode(executed)}</dd>
<dt>What to do next</dt><dd>${withCode(next)}</dd>
</dl>
</main>`,
  });
}
