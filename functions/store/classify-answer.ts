// What an answer of DynamoDB, or the lack of one, proves about a write. Pure.
// Certain that nothing was written: the store said so by a name on this list, or nothing was ever sent.
// Everything else is unknown: timeouts, resets, aborts, 5xx, answers that do not parse, new names.
// Must never: look at a message, or trust an error that several tries of the SDK stand behind.

import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import type { NotApplied, Unknown } from '#idempotency/commit-port.ts';
import type { Item } from '#store/item.ts';

/** One action's part in a cancellation, by position. */
export type RawReason =
  | { readonly code: 'None' | 'Conflict' | 'Throttled' | 'Refused' }
  /** Without its item nothing is known of what stands there. */
  | { readonly code: 'ConditionFailed'; readonly item?: Item };

export type RawAnswer =
  | { readonly kind: 'cancelled'; readonly reasons: readonly RawReason[] }
  | { readonly kind: 'condition-failed'; readonly item?: Item }
  | NotApplied
  | Unknown;

/** Thrown by our own guard in front of the socket. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

const NOT_APPLIED: Readonly<Record<string, NotApplied['why']>> = {
  TransactionConflictException: 'conflict',
  ThrottlingException: 'throttled',
  Throttling: 'throttled',
  ThrottledException: 'throttled',
  ProvisionedThroughputExceededException: 'throttled',
  RequestLimitExceeded: 'throttled',
  // Definite, and trying again will not help: our bug, our rights or our set-up.
  ValidationException: 'refused',
  ResourceNotFoundException: 'refused',
  AccessDeniedException: 'refused',
  UnrecognizedClientException: 'refused',
  MissingAuthenticationTokenException: 'refused',
  MissingAuthenticationToken: 'refused',
  IncompleteSignatureException: 'refused',
  InvalidSignatureException: 'refused',
  ExpiredTokenException: 'refused',
  ItemCollectionSizeLimitExceededException: 'refused',
};
/** Failures of reaching the store at all: no byte of the request was sent. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const REASONS: Readonly<Record<string, RawReason['code']>> = {
  None: 'None',
  ConditionalCheckFailed: 'ConditionFailed',
  TransactionConflict: 'Conflict',
  ThrottlingError: 'Throttled',
  ProvisionedThroughputExceeded: 'Throttled',
  ItemCollectionSizeLimitExceeded: 'Refused',
  ValidationError: 'Refused',
};

/** @param actions how many actions the transaction had: a cancellation names a reason for each */
export function classifyError(thrown: unknown, actions: number): RawAnswer {
  if (thrown instanceof NotSentError) return { kind: 'not-applied', why: 'not-sent' };
  const error = errorSchema.parse(thrown instanceof Error ? { ...thrown, name: thrown.name } : {});
  const { name, $metadata } = error;
  const { attempts = 1, httpStatusCode: status } = $metadata ?? {};
  if (attempts > 1) return { kind: 'unknown', why: `${name} after ${attempts} tries` };
  if (status === undefined) return unanswered(error);
  if (status < 400 || status >= 500) return { kind: 'unknown', why: `${name} (${status})` };
  if (name === 'TransactionCanceledException') return cancelled(error, actions);
  if (name === 'ConditionalCheckFailedException') {
    return { kind: 'condition-failed', ...itemOf(error.Item) };
  }
  const why = Object.hasOwn(NOT_APPLIED, name) ? NOT_APPLIED[name] : undefined;
  return why ? { kind: 'not-applied', why } : { kind: 'unknown', why: name };
}

/** No answer at all. Only who never reached the store, or never got so far as to sign, is certain. */
function unanswered({ name, code, syscall }: ErrorShape): NotApplied | Unknown {
  // A connection that breaks later has another system call.
  const connecting = syscall === 'connect' || syscall === 'getaddrinfo' || code === 'ECONNREFUSED';
  if (connecting && code !== undefined && UNREACHABLE.has(code)) {
    return { kind: 'not-applied', why: 'unreachable' };
  }
  if (name === 'CredentialsProviderError') return { kind: 'not-applied', why: 'refused' };
  return { kind: 'unknown', why: name };
}

function cancelled({ CancellationReasons: reasons }: ErrorShape, actions: number): RawAnswer {
  if (reasons?.length !== actions) {
    return { kind: 'unknown', why: 'a cancellation without its reasons' };
  }
  const read: RawReason[] = [];
  for (const { Code, Item } of reasons) {
    const code = Code !== undefined && Object.hasOwn(REASONS, Code) ? REASONS[Code] : undefined;
    if (code === undefined) return { kind: 'unknown', why: `a cancellation for ${Code}` };
    read.push(code === 'ConditionFailed' ? { code, ...itemOf(Item) } : { code });
  }
  return { kind: 'cancelled', reasons: read };
}

/** Items of both condition exceptions come back marshalled, through the document client too. */
function itemOf(marshalled: Parameters<typeof unmarshall>[0] | undefined): { item?: Item } {
  return marshalled && Object.keys(marshalled).length > 0 ? { item: unmarshall(marshalled) } : {};
}

const marshalledSchema = z.custom<Parameters<typeof unmarshall>[0]>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
/** What is read of an error; anything that has another shape is as good as not said. */
const errorSchema = z.object({
  name: z.string().catch('unnamed'),
  code: z.string().optional().catch(undefined),
  syscall: z.string().optional().catch(undefined),
  $metadata: z
    .object({ httpStatusCode: z.number().optional(), attempts: z.number().optional() })
    .optional()
    .catch(undefined),
  Item: marshalledSchema.optional().catch(undefined),
  CancellationReasons: z
    .array(
      z.object({
        Code: z.string().optional().catch(undefined),
        Item: marshalledSchema.optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});
type ErrorShape = z.output<typeof errorSchema>;
