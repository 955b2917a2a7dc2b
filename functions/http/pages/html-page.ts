// The frame of our HTML pages and the headers that they go out with. No inline script or style, nothing
// from another host, in nobody's frame.

import { htmlEscape } from 'escape-goat';
import type { HttpAnswer } from '#http/answer.ts';

/** Seconds that a browser may keep a page: it changes only with a release. */
export const PAGE_MAX_AGE_SECONDS = 3_600;

/** Swagger UI's style carries its icons as `data:` URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'cache-control': `public, max-age=${PAGE_MAX_AGE_SECONDS}`,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // The gateway adds which origin may read it.
  vary: 'origin',
} as const;

export type Page = {
  readonly title: string;
  /** From this page to the folder that /docs is in: `` or `../`. */
  readonly root: '' | '../';
  readonly head?: string;
  readonly body: string;
};

export function htmlPage({ title, root, head = '', body }: Page): HttpAnswer {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlEscape(title)}</title>
${head}<link rel="stylesheet" href="${root}docs/page.css">
<link rel="icon" href="data:,">
</head>
<body>
${body}
</body>
</html>
`;
  return {
    status: 200,
    headers: { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' },
    body: html,
  };
}

/** Text with `code` marked as in Markdown. */
export function withCode(text: string): string {
  return htmlEscape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
