// What became of an intent, by its key; and making sure that it will not be executed.

import { ask } from '#client/ask.ts';
import type { CallOptions } from '#client/call-options.ts';
import type { CallContext, CallRequest } from '#client/call-request.ts';
import { checkedKey } from '#client/idempotency-key.ts';
import type { Abandonment, NothingRecorded, Operation } from '#client/operation.ts';
import { acceptAbandonment, acceptOperation } from '#client/shape.ts';

/** A 404 that says "nothing recorded so far" is an answer to this request, not an error. */
export function lookUpRequest(key: string): CallRequest<Operation | NothingRecorded> {
  return {
    method: 'GET',
    path: `/v1/operations/${key}`,
    headers: {},
    key,
    effect: 'read',
    accept: ({ status, json }) => {
      const operation = status === 200 ? acceptOperation(json) : undefined;
      return operation?.key === key ? operation : undefined;
    },
    acceptProblem: (problem) =>
      problem.code === 'operation-not-found'
        ? {
            key,
            state: 'none',
            definitive: problem.definitive === true,
            ...(problem.admissibleUntil && { admissibleUntil: problem.admissibleUntil }),
            ...(problem.definitiveFrom && { definitiveFrom: problem.definitiveFrom }),
            ...(problem.definitiveUntil && { definitiveUntil: problem.definitiveUntil }),
          }
        : undefined,
  };
}

export async function lookupOperation(
  idempotencyKey: string,
  options: CallOptions,
  context: CallContext,
): Promise<Operation | NothingRecorded> {
  const key = checkedKey(idempotencyKey);
  return ask(lookUpRequest(key), options, context);
}

export async function abandonOperation(
  idempotencyKey: string,
  options: CallOptions,
  context: CallContext,
): Promise<Abandonment> {
  const key = checkedKey(idempotencyKey);
  const request: CallRequest<Abandonment> = {
    method: 'POST',
    path: `/v1/operations/${key}/abandon`,
    headers: {},
    key,
    effect: 'keyed',
    accept: ({ status, json }) => {
      const abandonment = status === 200 ? acceptAbandonment(json) : undefined;
      return abandonment?.key === key ? abandonment : undefined;
    },
  };
  // `executed: no` speaks of the abandonment here; of the intent only `intent` does.
  return ask({ ...request, known: { sentBefore: true } }, options, context);
}
