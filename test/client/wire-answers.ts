// Answers as the service gives them, made by hand: what the client has to understand.

import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';

export const JOB_ID = '01890000-0000-7000-8000-000000000001';

export const RECEIPT = {
  id: JOB_ID,
  status: 'queued',
  createdAt: '2026-01-01T00:00:00.000Z',
  keyExpiresAt: '2026-01-02T00:00:00.000Z',
  links: { self: `/v1/export-jobs/${JOB_ID}` },
} as const;

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function receiptAnswer(replayed = false, receipt: object = RECEIPT): PlainAnswer {
  return {
    status: 202,
    headers: { 'content-type': 'application/json', 'idempotent-replayed': `${replayed}` },
    body: JSON.stringify(receipt),
  };
}

export function problemAnswer(
  code: ProblemCode,
  status: number,
  members: object = {},
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  const { title, executed, intent, retry } = PROBLEMS[code];
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    detail: `${title}.`,
    code,
    requestId: 'r-1',
    ...(executed && { executed, intent, retry }),
    ...members,
  };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(body),
  };
}

export function operationAnswer(
  key: string,
  state: 'committed' | 'abandoned' = 'committed',
): PlainAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      key,
      state,
      expired: false,
      ...(state === 'committed' && { job: { id: JOB_ID, href: RECEIPT.links.self } }),
      committedAt: RECEIPT.createdAt,
      expiresAt: RECEIPT.keyExpiresAt,
    }),
  };
}

/** The gateway's own short JSON, and what proxies send. */
export function foreignAnswer(status: number, contentType = 'application/json'): PlainAnswer {
  return {
    status,
    headers: { 'content-type': contentType },
    body: contentType === 'text/html' ? '<html>Bad Gateway</html>' : '{"message":"…"}',
  };
}
