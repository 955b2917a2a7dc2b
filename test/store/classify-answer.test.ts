// What an answer proves. Every name on the lists, and everything that is on none.

import { describe, expect, it } from 'vitest';
import { classifyError, NotSentError } from '#store/classify-answer.ts';

const sdkError = (name: string, status: number | undefined, extra: object = {}) =>
  Object.assign(new Error(`${name} with a message that nobody reads`), {
    name,
    $metadata: { httpStatusCode: status, attempts: 1 },
    ...extra,
  });
const cancelled = (...CancellationReasons: unknown[]) =>
  sdkError('TransactionCanceledException', 400, { CancellationReasons });
const codes = (answer: ReturnType<typeof classifyError>) =>
  answer.kind === 'cancelled' ? answer.reasons.map(({ code }) => code) : answer;

describe('an error of a write', () => {
  it.each([
    ['ThrottlingException', 'throttled'],
    ['Throttling', 'throttled'],
    ['ThrottledException', 'throttled'],
    ['ProvisionedThroughputExceededException', 'throttled'],
    ['RequestLimitExceeded', 'throttled'],
    ['TransactionConflictException', 'conflict'],
    ['ValidationException', 'refused'],
    ['ResourceNotFoundException', 'refused'],
    ['AccessDeniedException', 'refused'],
    ['UnrecognizedClientException', 'refused'],
    ['MissingAuthenticationTokenException', 'refused'],
    ['MissingAuthenticationToken', 'refused'],
    ['IncompleteSignatureException', 'refused'],
    ['InvalidSignatureException', 'refused'],
    ['ExpiredTokenException', 'refused'],
    ['ItemCollectionSizeLimitExceededException', 'refused'],
  ])('of the name %s certainly wrote nothing: %s', (name, why) => {
    expect(classifyError(sdkError(name, 400), 2)).toEqual({ kind: 'not-applied', why });
  });

  it.each([
    ['ECONNREFUSED', 'connect'],
    ['ECONNREFUSED', undefined],
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
    ['EHOSTUNREACH', 'connect'],
    ['ENETUNREACH', 'connect'],
  ])('of reaching the store at all wrote nothing: %s in %s', (code, syscall) => {
    const error = Object.assign(new Error(), { code, syscall, $metadata: { attempts: 1 } });

    expect(classifyError(error, 2)).toEqual({ kind: 'not-applied', why: 'unreachable' });
  });

  it.each([
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'write'],
    ['EHOSTUNREACH', undefined],
  ])('of a connection that stood is of unknown outcome: %s in %s', (code, syscall) => {
    const error = Object.assign(new Error(), { code, syscall });

    expect(classifyError(error, 2).kind).toBe('unknown');
  });

  it('of our own guard was never sent', () => {
    expect(classifyError(new NotSentError(), 2)).toEqual({ kind: 'not-applied', why: 'not-sent' });
  });

  it('of credentials was never sent', () => {
    expect(classifyError(sdkError('CredentialsProviderError', undefined), 2)).toMatchObject({
      why: 'refused',
    });
  });

  it.each([
    ['an abort', sdkError('AbortError', undefined)],
    ['a timeout', sdkError('TimeoutError', undefined)],
    ['a reset', Object.assign(new Error(), { code: 'ECONNRESET' })],
    ['a reset in the body of a 200', Object.assign(sdkError('Error', 200), { code: 'ECONNRESET' })],
    ['a broken pipe', Object.assign(new Error(), { code: 'EPIPE' })],
    ['an answer that is no JSON', sdkError('SyntaxError', 200)],
    ['a server error', sdkError('InternalServerError', 500)],
    ['an unavailable service', sdkError('ServiceUnavailable', 503)],
    ['a known name with status 500', sdkError('ThrottlingException', 500)],
    ['a known name with status 200', sdkError('ValidationException', 200)],
    ['a transaction in progress', sdkError('TransactionInProgressException', 400)],
    ['a parameter mismatch', sdkError('IdempotentParameterMismatchException', 400)],
    ['a replicated write conflict', sdkError('ReplicatedWriteConflictException', 400)],
    ['a name that nobody knows', sdkError('SomethingNewException', 400)],
    ['a redirect', sdkError('Unknown', 307)],
    [
      'a refusal after several tries',
      sdkError('ValidationException', 400, { $metadata: { httpStatusCode: 400, attempts: 2 } }),
    ],
    ['what is no error at all', 'text'],
    ['nothing', undefined],
  ])('is of unknown outcome: %s', (_, error) => {
    expect(classifyError(error, 2).kind).toBe('unknown');
  });

  it('is read by name, never by message', () => {
    const error = sdkError('SomethingNewException', 400);
    error.message = 'ThrottlingException: The conditional request failed';

    expect(classifyError(error, 2).kind).toBe('unknown');
  });
});

describe('a cancelled transaction', () => {
  it('has a reason for each action, by position', () => {
    const answer = cancelled(
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed' },
      { Code: 'TransactionConflict' },
      { Code: 'ThrottlingError' },
      { Code: 'ProvisionedThroughputExceeded' },
      { Code: 'ItemCollectionSizeLimitExceeded' },
      { Code: 'ValidationError' },
    );

    expect(codes(classifyError(answer, 7))).toEqual([
      'None',
      'ConditionFailed',
      'Conflict',
      'Throttled',
      'Throttled',
      'Refused',
      'Refused',
    ]);
  });

  it('keeps the item of a failed condition as plain values, and takes an empty one for none', () => {
    const Item = { pk: { S: 'x' } };
    const answer = cancelled(
      { Code: 'ConditionalCheckFailed', Item },
      { Code: 'ConditionalCheckFailed', Item: {} },
    );

    expect(classifyError(answer, 2)).toEqual({
      kind: 'cancelled',
      reasons: [{ code: 'ConditionFailed', item: { pk: 'x' } }, { code: 'ConditionFailed' }],
    });
  });

  it.each([
    ['no reasons', sdkError('TransactionCanceledException', 400), 2],
    ['too few reasons', cancelled({ Code: 'None' }), 2],
    ['too many reasons', cancelled({ Code: 'None' }, { Code: 'None' }), 1],
    ['a reason that nobody knows', cancelled({ Code: 'New' }, { Code: 'None' }), 2],
    ['a reason without a code', cancelled({}, { Code: 'None' }), 2],
    ['a reason that is null', cancelled(null, { Code: 'None' }), 2],
    [
      'reasons that are no list',
      sdkError('TransactionCanceledException', 400, { CancellationReasons: 'x' }),
      2,
    ],
  ])('with %s proves nothing', (_, error, actions) => {
    expect(classifyError(error, actions).kind).toBe('unknown');
  });
});
