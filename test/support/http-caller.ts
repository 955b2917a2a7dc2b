// A caller of the running stack over real HTTP.

import type { RunningStack } from '#test/support/stack.ts';

export type HttpAnswered = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers by name
  readonly body: any;
};

export type Caller = {
  readonly send: (method: string, path: string, init?: RequestInit) => Promise<HttpAnswered>;
  readonly create: (
    key: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HttpAnswered>;
  /** The job when it has finished. */
  readonly finished: (jobId: string) => Promise<HttpAnswered['body']>;
  readonly putArticle: (articleId: string, markdown?: string) => Promise<HttpAnswered>;
};

/** Looks at a job before a test gives up: each waits up to 20 s. */
const LOOKS_MAX = 6;

export async function callerOf(
  stack: Pick<RunningStack, 'url' | 'token'>,
  subject: string,
): Promise<Caller> {
  const authorization = `Bearer ${await stack.token(subject)}`;
  const send: Caller['send'] = async (method, path, init = {}) => {
    const response = await fetch(`${stack.url}${path}`, {
      redirect: 'manual',
      ...init,
      method,
      headers: { authorization, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  };
  const sendJson = (method: string, path: string, body: unknown, headers = {}) =>
    send(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return {
    send,
    create: (key, body, headers = {}) =>
      sendJson('POST', '/v1/export-jobs', body, { 'idempotency-key': key, ...headers }),
    async finished(jobId) {
      let job: HttpAnswered['body'];
      for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
        const headers: Record<string, string> = { prefer: 'wait=20' };
        const answer = await send('GET', `/v1/export-jobs/${jobId}`, { headers });
        job = answer.body;
        if (job?.finishedAt !== undefined) return job;
      }
      throw new Error(`the job did not finish: ${JSON.stringify(job)}`);
    },
    putArticle: (articleId, markdown = `About *${articleId}*.`) =>
      sendJson('PUT', `/v1/articles/${articleId}`, { title: `Article ${articleId}`, markdown }),
  };
}
