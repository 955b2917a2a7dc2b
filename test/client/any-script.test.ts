// Whatever the network does, attempt by attempt, on a fake clock: the call ends by its deadline, leaves
// nothing over, and never says of an executed intent that it was not executed.

import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { isNoAnswerError, isProblemError, isStoppedError, outcomeOf } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import type { World } from '#client/world.ts';
import { fakeWorld, passes } from '#test/client/fake-world.ts';
import {
  foreignAnswer,
  operationAnswer,
  type PlainAnswer,
  problemAnswer,
  RECEIPT,
  receiptAnswer,
} from '#test/client/wire-answers.ts';

type End =
  | { readonly kind: 'unsent'; readonly code: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang'; readonly ignoresAbort: boolean }
  | { readonly kind: 'service'; readonly says: 'receipt' | 'no' | 'unknown' | 'refused' }
  | { readonly kind: 'foreign'; readonly status: number; readonly html: boolean }
  | { readonly kind: 'redirect' };

interface Step {
  readonly end: End;
  readonly afterMs: number;
  /** Of the body: whole, cut, or dripping with this between the pieces. */
  readonly body: 'whole' | 'cut' | number;
  readonly retryAfter: string | undefined;
  /** Whether the attempt takes effect, where its end leaves that open. */
  readonly commits: boolean;
}

const end: fc.Arbitrary<End> = fc.oneof(
  fc.record({
    kind: fc.constant('unsent' as const),
    code: fc.constantFrom('ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED'),
  }),
  fc.constant({ kind: 'reset' } as const),
  fc.record({ kind: fc.constant('hang' as const), ignoresAbort: fc.boolean() }),
  fc.record({
    kind: fc.constant('service' as const),
    says: fc.constantFrom('receipt', 'no', 'unknown', 'refused'),
  }) as fc.Arbitrary<End>,
  fc.record({
    kind: fc.constant('foreign' as const),
    status: fc.constantFrom(200, 401, 403, 404, 413, 429, 431, 500, 502, 504),
    html: fc.boolean(),
  }),
  fc.constant({ kind: 'redirect' } as const),
);
const step: fc.Arbitrary<Step> = fc.record({
  end,
  afterMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 40_000 })),
  body: fc.oneof(
    fc.constantFrom('whole' as const, 'cut' as const),
    fc.integer({ min: 1, max: 5_000 }),
  ),
  retryAfter: fc.constantFrom(
    undefined,
    undefined,
    '0',
    '1',
    '30',
    'Thu, 01 Jan 2026 00:00:02 GMT',
    '-1',
  ),
  commits: fc.boolean(),
});
const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  timeoutMs: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 60_000 })),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  keepMs: fc.constantFrom(0, 0, 100, 100_000),
  abortAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
  lookUpMs: fc.constantFrom(1, 1_000, 100_000),
  // The service's clock less the caller's.
  aheadMs: fc.constantFrom(0, 0, -40_000, 40_000, 3 * 86_400_000),
});

/** A service behind the script: it knows what really happened, and has a clock of its own. */
function scriptedService(steps: readonly Step[], lookUpMs: number, aheadMs: number) {
  const seen: { headers: Headers; body: unknown }[] = [];
  let committed = false;
  const answerOf = ({ end, retryAfter }: Step, { wallMs }: World): PlainAnswer => {
    const asked = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const date = { date: new Date(wallMs() + aheadMs).toUTCString() };
    if (end.kind === 'redirect') return { status: 307, headers: { location: '/x' }, body: '' };
    if (end.kind === 'foreign') {
      const answer = foreignAnswer(end.status, end.html ? 'text/html' : 'application/json');
      return { ...answer, headers: { ...answer.headers, ...asked, ...date } };
    }
    const says = end.kind === 'service' ? end.says : 'receipt';
    if (says === 'receipt') return receiptAnswer();
    if (says === 'refused') return problemAnswer('validation-failed', 400);
    const code = says === 'no' ? 'store-unavailable' : 'outcome-unknown';
    return problemAnswer(code, 503, {}, { ...asked, ...date });
  };
  const takesEffect = ({ end, commits }: Step) => {
    switch (end.kind) {
      case 'unsent':
        return false;
      case 'service':
        return end.says === 'receipt' || (end.says === 'unknown' && commits);
      case 'foreign':
        return commits && ![401, 403, 413, 431].includes(end.status);
      default:
        return commits;
    }
  };
  const fetch = async (world: World, url: string, init: RequestInit): Promise<Response> => {
    const { signal } = init;
    if (init.method === 'GET') {
      await passes(world, lookUpMs, signal);
      const key = url.split('/').at(-1) ?? '';
      const nothing = problemAnswer('operation-not-found', 404, {
        definitive: false,
        idempotencyKey: key,
      });
      return toResponse(committed ? operationAnswer(key) : nothing);
    }
    const current = steps[seen.length] ?? {
      end: { kind: 'reset' },
      afterMs: 1,
      body: 'whole',
      commits: false,
      retryAfter: undefined,
    };
    seen.push({ headers: new Headers(init.headers), body: init.body });
    if (takesEffect(current)) committed = true;
    if (current.end.kind === 'hang') {
      if (current.end.ignoresAbort) return new Promise(() => {});
      await passes(world, 10 ** 8, signal);
    }
    await passes(world, current.afterMs, signal);
    if (current.end.kind === 'unsent') throw networkError(current.end.code);
    if (current.end.kind === 'reset') throw networkError('ECONNRESET');
    return toResponse(answerOf(current, world), current.body, world, signal);
  };
  return { fetch, seen, isCommitted: () => committed };
}

function networkError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

function toResponse(
  { status, headers, body }: PlainAnswer,
  how: Step['body'] = 'whole',
  world?: World,
  signal?: AbortSignal | null,
): Response {
  if (how === 'whole' || world === undefined) return new Response(body, { status, headers });
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (how === 'cut') {
        controller.enqueue(bytes.subarray(0, 3));
        controller.error(networkError('UND_ERR_SOCKET'));
        return;
      }
      await passes(world, how, signal);
      controller.enqueue(bytes.subarray(at, at + 60));
      at += 60;
      if (at >= bytes.length) controller.close();
    },
  });
  return new Response(stream, { status, headers });
}

it('keeps its deadline, its bytes and its word, for any script', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      scenario,
      async ({ steps, timeoutMs, random, keepMs, abortAfterMs, lookUpMs, aheadMs }) => {
        const service = scriptedService(steps, lookUpMs, aheadMs);
        const world = fakeWorld(service.fetch, () => random);
        const client = clientIn(world, {
          url: 'http://service.test',
          token: 't',
          retryBudget: retryBudget(),
        });
        const abort = new AbortController();
        const stopAbort =
          abortAfterMs === undefined ? () => {} : world.after(abortAfterMs, () => abort.abort());
        const startMs = world.monotonicMs();
        let committedAtEnd = false;

        const result = await world.run(
          client
            .createExportJob(
              { articleIds: ['a'], format: 'text' },
              {
                timeoutMs,
                signal: abort.signal,
                onIdempotencyKey: () => passes(world, keepMs, abort.signal),
              },
            )
            .finally(() => {
              committedAtEnd = service.isCommitted();
            }),
        );
        stopAbort();

        expect(world.monotonicMs() - startMs).toBeLessThanOrEqual(timeoutMs);
        // What is left belongs to the script: the keeping of the key, and fetches that ignore the abort.
        expect(getEventListeners(abort.signal, 'abort').length).toBeLessThanOrEqual(1);
        expect(service.seen.length).toBeLessThanOrEqual(5);
        expect(
          new Set(service.seen.map(({ headers }) => headers.get('idempotency-key'))).size,
        ).toBeLessThanOrEqual(1);
        expect(new Set(service.seen.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
        // Clocks that agree, or cannot be brought together, leave the deadline where it was.
        const deadlines = new Set(
          service.seen.map(({ headers }) => headers.get('x-request-deadline')),
        );
        if (Math.abs(aheadMs) !== 40_000) expect(deadlines.size).toBeLessThanOrEqual(1);
        expect(service.seen.map(({ headers }) => headers.get('x-request-attempt'))).toEqual(
          service.seen.map((_, place) => `${place + 1}`),
        );

        if (result.status === 'fulfilled') {
          expect(committedAtEnd).toBe(true);
          expect(result.value.jobId).toBe(RECEIPT.id);
          met.add(result.value.settledBy);
          return;
        }
        const error = result.reason;
        expect(isProblemError(error) || isNoAnswerError(error) || isStoppedError(error)).toBe(true);
        expect(error.attempts.length).toBe(service.seen.length);
        const outcome = outcomeOf(error);
        if (outcome === 'not-executed') expect(committedAtEnd).toBe(false);
        if (outcome === 'executed') expect(committedAtEnd).toBe(true);
        met.add(`${outcome} ${error.name}`);
      },
    ),
    { numRuns: 1_500, seed: 20260101 },
  );
  // Not vacuous: the scripts reach every kind of end.
  expect([...met]).toEqual(
    expect.arrayContaining([
      'answer',
      'look-up',
      'not-executed ProblemError',
      'not-executed NoAnswerError',
      'not-executed StoppedError',
      'unknown ProblemError',
      'unknown NoAnswerError',
      'unknown StoppedError',
    ]),
  );
});
