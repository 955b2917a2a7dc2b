// GET /problems/{code}: what happened, was anything executed, what to do next; as a page and as JSON.

import { htmlEscape } from 'escape-goat';
import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { PROBLEM_EXPLANATIONS, type ProblemExplanation } from '#contract/problem-explanations.ts';
import type { HttpAnswer } from '#http/answer.ts';
import { htmlPage, withCode } from '#http/pages/html-page.ts';
import { PROBLEM_STATUS } from '#http/problem.ts';

export function problemExplanation(code: ProblemCode): ProblemExplanation {
  const { title } = PROBLEMS[code];
  return { code, status: PROBLEM_STATUS[code], title, ...PROBLEM_EXPLANATIONS[code] };
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
