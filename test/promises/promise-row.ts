// One row of the promise table in docs/promises.md: a situation, the answer, and a play that brings the
// situation about and asserts the answer. A play returns the answers that callers heard; they must be the ones
// that the row names, status and code, no more and no fewer.

import { PROBLEM_CODES } from '#contract/problem-catalogue.ts';
import type { PromiseBench } from '#test/promises/promise-bench.ts';

export type Heard = {
  readonly status: number;
  readonly body?: { readonly code?: string };
};

export type PromiseRow = {
  readonly situation: string;
  /** Markdown; a status, and behind it the code in backquotes, is an answer that the play must hear. */
  readonly answer: string;
  readonly play: (bench: PromiseBench) => Promise<readonly Heard[]>;
};

const CODES: ReadonlySet<string> = new Set(PROBLEM_CODES);

/** `202`, `409 source-batch-taken`: the answers that a text names, each once. */
export function answersNamed(text: string): readonly string[] {
  const named = [...text.matchAll(/\b([2345]\d\d)\b(?: `([a-z-]+)`)?/g)];
  return distinct(named.map(([, status = '', code = '']) => answerName(status, code)));
}

/** The same of what was heard. */
export function answersHeard(heard: readonly Heard[]): readonly string[] {
  return distinct(heard.map(({ status, body }) => answerName(`${status}`, body?.code ?? '')));
}

function answerName(status: string, code: string): string {
  return CODES.has(code) ? `${status} ${code}` : status;
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
