// waitForJob on a fake clock: long polls, pauses that the service asks for, passing errors, its deadline.

import { describe, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { retryBudget } from '#client/retry-budget.ts';
import type { WaitForJobOptions } from '#client/wait-for-job.ts';
import { fakeWorld, passes } from '#test/client/fake-world.ts';
import {
  foreignAnswer,
  JOB_ID,
  type PlainAnswer,
  problemAnswer,
} from '#test/client/wire-answers.ts';

type Poll = { readonly afterMs: number; readonly answer: PlainAnswer | 'reset' };

const jobAnswer = (status: string, done: number, headers = {}): PlainAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json', etag: `"${status}-${done}"`, ...headers },
  body: JSON.stringify({
    id: JOB_ID,
    status,
    idempotencyKey: 'k',
    format: 'text',
    language: 'und',
    articleCount: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    progress: { done, total: 3 },
    run: 1,
    links: { self: `/v1/export-jobs/${JOB_ID}`, cancel: '/c', file: '/f' },
  }),
});
const UNCHANGED: PlainAnswer = { status: 304, headers: {}, body: '' };
const soon = (answer: Poll['answer']): Poll => ({ afterMs: 10, answer });

async function wait(polls: readonly Poll[], options: WaitForJobOptions = {}, tokens = 10) {
  const seen: { atMs: number; headers: Headers }[] = [];
  const world = fakeWorld(async (own, _, init) => {
    const poll = polls[Math.min(seen.length, polls.length - 1)];
    seen.push({ atMs: own.monotonicMs() - startMs, headers: new Headers(init.headers) });
    await passes(own, poll?.afterMs ?? 0, init.signal);
    const answer = poll?.answer;
    if (answer === 'reset' || answer === undefined) {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    }
    const hasBody = answer.status !== 304;
    return new Response(hasBody ? answer.body : null, answer);
  });
  const startMs = world.monotonicMs();
  const client = clientIn(world, {
    url: 'http://s.test',
    token: 't',
    retryBudget: retryBudget(tokens),
  });
  const result = await world.run(client.waitForJob(JOB_ID, options));
  return {
    result,
    seen,
    tookMs: world.monotonicMs() - startMs,
    pendingTimers: world.pendingTimers(),
  };
}

describe('waiting for a job', () => {
  it('polls until it has finished, and tells of each change', async () => {
    const told: string[] = [];
    const { result, seen, pendingTimers } = await wait(
      [
        soon(jobAnswer('queued', 0)),
        { afterMs: 20_000, answer: UNCHANGED },
        soon(jobAnswer('running', 1)),
        soon(jobAnswer('succeeded', 3)),
      ],
      { onProgress: ({ status, progress }) => told.push(`${status} ${progress.done}`) },
    );

    expect(result).toMatchObject({ status: 'fulfilled', value: { status: 'succeeded' } });
    expect(told).toEqual(['queued 0', 'running 1', 'succeeded 3']);
    expect(seen.map(({ headers }) => headers.get('prefer'))).toEqual(Array(4).fill('wait=20'));
    expect(seen.map(({ headers }) => headers.get('if-none-match'))).toEqual([
      null,
      '"queued-0"',
      '"queued-0"',
      '"running-1"',
    ]);
    expect(pendingTimers).toBe(0);
  });

  it('pauses as long as the service asks, else a second', async () => {
    const { seen } = await wait([
      soon(jobAnswer('queued', 0, { 'retry-after': '7' })),
      soon(jobAnswer('queued', 0)),
      soon(jobAnswer('succeeded', 3)),
    ]);

    expect(seen.map(({ atMs }) => atMs)).toEqual([0, 7_010, 8_020]);
  });

  it('is not ended by passing errors, however many', async () => {
    const passing = [
      soon('reset'),
      soon(foreignAnswer(502, 'text/html')),
      soon(problemAnswer('store-unavailable', 503, {}, { 'retry-after': '2' })),
    ];
    const { result } = await wait([
      soon(jobAnswer('running', 1)),
      ...passing,
      ...passing,
      ...passing,
      soon(jobAnswer('failed', 1)),
    ]);

    expect(result).toMatchObject({ status: 'fulfilled', value: { status: 'failed' } });
  });

  it('asks no more often in an outage than in good times once the retry budget is empty', async () => {
    const { seen, result } = await wait([soon('reset')], { timeoutMs: 600_000 }, 2);

    // Two retries with little backoff, then at least ten seconds between polls.
    expect(result.status).toBe('rejected');
    expect(seen.length).toBeLessThanOrEqual(3 + 600 / 10);
    const gaps = seen.slice(1).map(({ atMs }, place) => atMs - (seen[place]?.atMs ?? 0));
    expect(Math.min(...gaps.slice(2))).toBeGreaterThanOrEqual(10_000);
  });

  it('is ended by what no repeat would change', async () => {
    const { result, seen } = await wait([soon(problemAnswer('job-not-found', 404))]);

    expect(result).toMatchObject({ reason: { name: 'ProblemError', outcome: 'unknown' } });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['when the polls go on', soon(jobAnswer('running', 1))],
    ['when a poll never ends', { afterMs: 10 ** 8, answer: UNCHANGED }],
    [
      'when the service asks for a longer pause',
      soon(jobAnswer('running', 1, { 'retry-after': '500' })),
    ],
  ])('ends by its own deadline %s', async (_, last) => {
    const { result, tookMs, pendingTimers } = await wait([soon(jobAnswer('queued', 0)), last], {
      timeoutMs: 100_000,
    });

    expect(result).toMatchObject({
      reason: {
        name: 'StoppedError',
        code: 'deadline-passed',
        outcome: 'executed',
        job: { id: JOB_ID },
      },
    });
    expect(tookMs).toBeLessThanOrEqual(100_000);
    expect(pendingTimers).toBe(0);
  });

  it('ends at once on abort, also in a pause', async () => {
    const abort = new AbortController();
    const { result, tookMs, pendingTimers } = await wait(
      [soon(jobAnswer('running', 1, { 'retry-after': '60' }))],
      { signal: abort.signal, onProgress: () => queueMicrotask(() => abort.abort('enough')) },
    );

    expect(result).toMatchObject({ reason: { code: 'aborted', cause: 'enough' } });
    expect([tookMs, pendingTimers]).toEqual([10, 0]);
  });
});
