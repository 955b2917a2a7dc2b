// What an answer of DynamoDB, or the lack of one, proves about a write. Pure.
// Certain that nothing was written: the store said so by a name on this list, or nothing was ever sent.
// Everything else is unknown: timeouts, resets, aborts, 5xx, answers that do not parse, new names.
// Must never: look at a message, or trust an error that several tries of the SDK stand behind.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NotApplied, Unknown } from '#idempotency/commit-port.ts';

export type Item = Record<string, AttributeValue>;

/** One action's part in a cancellation, by position. */
export type Reason =
  | { readonly code: 'None' | 'Conflict' | 'Throttled' | 'Refused' }
  | { readonly code: 'ConditionFailed'; readonly item?: Item };

export type WriteAnswer =
  | { readonly kind: 'applied' }
  | { readonly kind: 'cancelled'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'condition-failed'; readonly item?: Item }
  | NotApplied
  | Unknown;

/** Thrown by our own guard in front of the socket. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

const THROTTLES = new Set([
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);
/** Definite, and trying again will not help: our bug, our rights or our set-up. */
const REFUSALS = new Set([
  'ValidationException',
  'ResourceNotFoundException',
  'AccessDeniedException',
  'UnrecognizedClientException',
  'MissingAuthenticationTokenException',
  'MissingAuthenticationToken',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'ExpiredTokenException',
  'ItemCollectionSizeLimitExceededException',
]);
/** Failures of reaching the store at all: no byte of the request was sent. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const REASONS: Readonly<Record<string, Reason['code']>> = {
  None: 'None',
  ConditionalCheckFailed: 'ConditionFailed',
  TransactionConflict: 'Conflict',
  ThrottlingError: 'Throttled',
  ProvisionedThroughputExceeded: 'Throttled',
  ItemCollectionSizeLimitExceeded: 'Refused',
  ValidationError: 'Refused',
};

/** @param actions how many actions the transaction had: a cancellation names a reason for each */
export function classifyError(error: unknown, actions: number): WriteAnswer {
  if (error instanceof NotSentError) return { kind: 'not-applied', why: 'not-sent' };
  const { name, code, status, attempts, reasons, item, neverConnected } = shapeOf(error);
  if (attempts > 1) return { kind: 'unknown', why: `${name} after ${attempts} tries` };
  if (status === undefined) {
    if (code !== undefined && UNREACHABLE.has(code) && neverConnected) {
      return { kind: 'not-applied', why: 'unreachable' };
    }
    if (name === 'CredentialsProviderError') return { kind: 'not-applied', why: 'refused' };
    return { kind: 'unknown', why: name };
  }
  if (status < 400 || status >= 500) return { kind: 'unknown', why: `${name} (${status})` };
  if (name === 'TransactionCanceledException') return cancelled(reasons, actions);
  if (name === 'ConditionalCheckFailedException') {
    return { kind: 'condition-failed', ...(item && { item }) };
  }
  if (name === 'TransactionConflictException') return { kind: 'not-applied', why: 'conflict' };
  if (THROTTLES.has(name)) return { kind: 'not-applied', why: 'throttled' };
  if (REFUSALS.has(name)) return { kind: 'not-applied', why: 'refused' };
  return { kind: 'unknown', why: name };
}

/** A transaction was applied if the answer has the shape that we asked for; else nothing is proven. */
export function classifyOutput(output: unknown): WriteAnswer {
  const capacity = (output as { ConsumedCapacity?: unknown } | undefined)?.ConsumedCapacity;
  return capacity !== null && typeof capacity === 'object'
    ? { kind: 'applied' }
    : { kind: 'unknown', why: 'an answer without the capacity that was asked for' };
}

function cancelled(reasons: readonly unknown[] | undefined, actions: number): WriteAnswer {
  if (reasons?.length !== actions) {
    return { kind: 'unknown', why: 'a cancellation without its reasons' };
  }
  const read: Reason[] = [];
  for (const reason of reasons) {
    const { Code, Item } = (reason ?? {}) as { Code?: unknown; Item?: Item };
    const code = typeof Code === 'string' ? REASONS[Code] : undefined;
    if (code === undefined) return { kind: 'unknown', why: `a cancellation for ${String(Code)}` };
    if (code === 'ConditionFailed') {
      read.push({ code, ...(hasAttributes(Item) && { item: Item }) });
    } else read.push({ code });
  }
  return { kind: 'cancelled', reasons: read };
}

function hasAttributes(item: Item | undefined): item is Item {
  return item !== undefined && Object.keys(item).length > 0;
}

type ErrorShape = {
  readonly name: string;
  readonly code?: string;
  readonly status?: number;
  readonly attempts: number;
  /** It failed while looking up or connecting; a connection that breaks later has another system call. */
  readonly neverConnected: boolean;
  readonly reasons?: readonly unknown[];
  readonly item?: Item;
};

function shapeOf(error: unknown): ErrorShape {
  if (!(error instanceof Error)) return { name: typeof error, attempts: 1, neverConnected: false };
  const { code, syscall, $metadata, CancellationReasons, Item } = error as Error & {
    code?: unknown;
    syscall?: unknown;
    $metadata?: { httpStatusCode?: number; attempts?: number };
    CancellationReasons?: unknown;
    Item?: Item;
  };
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    ...($metadata?.httpStatusCode !== undefined && { status: $metadata.httpStatusCode }),
    attempts: $metadata?.attempts ?? 1,
    neverConnected: syscall === 'connect' || syscall === 'getaddrinfo' || code === 'ECONNREFUSED',
    ...(Array.isArray(CancellationReasons) && { reasons: CancellationReasons }),
    ...(hasAttributes(Item) && { item: Item }),
  };
}
