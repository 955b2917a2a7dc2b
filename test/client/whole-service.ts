// Every operation of the service as it answers when all is well: for what is asked of the command as a
// whole. The job has finished, and its file is there.

import { createHash } from 'node:crypto';
import type { Step } from '#test/client/scripted-server.ts';
import { JOB_ID, operationAnswer, RECEIPT, receiptAnswer } from '#test/client/wire-answers.ts';

export const FILE = 'Two articles.\n';
export const ARTICLE = {
  id: 'a-1',
  title: 'First',
  bytes: 7,
  etag: '"e-1"',
  updatedAt: RECEIPT.createdAt,
  markdown: '# First',
  language: 'en',
};
const self = RECEIPT.links.self;
export const JOB = {
  id: JOB_ID,
  status: 'succeeded',
  idempotencyKey: 'k',
  format: 'text',
  language: 'und',
  articleCount: 1,
  createdAt: RECEIPT.createdAt,
  progress: { done: 1, total: 1 },
  run: 1,
  file: {
    bytes: FILE.length,
    sha256: createHash('sha256').update(FILE).digest('hex'),
    contentType: 'text/plain',
  },
  links: { self, cancel: `${self}/cancel`, file: `${self}/file` },
};

/** A service that works, at the address it was asked at. */
export const wholeService: Step = (exchange) => {
  const { method, path, headers } = exchange.received;
  const [pathname = ''] = path.split('?');
  const json = (body: object, status = 200) =>
    exchange.answer({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const key = pathname.split('/')[3] ?? '';
  const file = { url: `http://${headers.host}/bytes`, expiresAt: RECEIPT.keyExpiresAt };
  const answers: Record<string, () => void> = {
    'POST /v1/export-jobs': () => {
      exchange.commit();
      exchange.answer(receiptAnswer());
    },
    'GET /v1/export-jobs': () => json({ items: [JOB] }),
    [`GET ${self}`]: () => json(JOB),
    [`POST ${self}/cancel`]: () => json({ ...JOB, status: 'cancelled' }),
    [`GET ${self}/file`]: () => json(file),
    'GET /bytes': () => exchange.answer({ status: 200, headers: {}, body: FILE }),
    [`GET /v1/operations/${key}`]: () => exchange.answer(operationAnswer(key)),
    [`POST /v1/operations/${key}/abandon`]: () =>
      json({ ...JSON.parse(operationAnswer(key, 'abandoned').body), executed: 'no' }),
    'PUT /v1/articles/a-1': () => json(ARTICLE, 201),
    'GET /v1/articles/a-1': () => json(ARTICLE),
    'GET /v1/articles': () => json({ items: [ARTICLE] }),
    'DELETE /v1/articles/a-1': () => exchange.answer({ status: 204, headers: {}, body: '' }),
  };
  const answer = answers[`${method} ${pathname}`];
  if (answer === undefined) throw new Error(`nothing is known of ${method} ${pathname}`);
  answer();
};
