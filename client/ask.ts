// A call from options to value: opens its span, runs it, closes it, and throws what it failed with.

import { call, nowThereMs } from '#client/call.ts';
import { type CallOptions, openCallSpan } from '#client/call-options.ts';
import type { CallContext, CallRequest } from '#client/call-request.ts';
import { errorOf, type FailureFacts } from '#client/failure.ts';

/** What is known of the effect before this call. */
type Known = Pick<FailureFacts, 'sentBefore' | 'settled'>;

export async function ask<T>(
  { known = {}, ...request }: CallRequest<T> & { readonly known?: Known },
  options: CallOptions,
  context: CallContext,
): Promise<T> {
  const span = openCallSpan(options, context.world, { facts: beforeSending(request, known) });
  try {
    const end = await call(request, { span }, context);
    if (end.kind === 'success') return end.value;
    throw errorOf(end, {
      ...known,
      effect: request.effect,
      ...(request.key !== undefined && { idempotencyKey: request.key }),
      nowMs: nowThereMs(context),
    });
  } finally {
    span.close();
  }
}

/** What an error says of the effect when nothing could be sent. */
function beforeSending(
  { effect, key }: Pick<CallRequest<unknown>, 'effect' | 'key'>,
  { sentBefore, settled }: Known,
) {
  const isOpen = effect === 'read' || sentBefore === true;
  return {
    outcome: isOpen ? 'unknown' : 'not-executed',
    ...(effect === 'keyed' && key !== undefined && { idempotencyKey: key }),
    ...settled,
  } as const;
}

/** All items of a list, page by page. A page may be empty and still not be the last. */
export async function* pages<T>(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  pageOf: (path: string) => Promise<{ readonly items: readonly T[]; readonly cursor?: string }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, cursor })) {
      if (value !== undefined) parameters.set(name, `${value}`);
    }
    const text = parameters.toString();
    const page = await pageOf(text === '' ? path : `${path}?${text}`);
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
