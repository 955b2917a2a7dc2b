// Answers that DynamoDB gives and DynamoDB Local never does: throttles, conflicts, 5xx, a transaction
// in progress, a page of HTML. Shapes as on the wire (AWS JSON 1.0).

import type { Reply } from '#test/support/wire-upstream.ts';

export function jsonReply(status: number, body: unknown): Reply {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'CANNED' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** @param name as `ThrottlingException`, `TransactionInProgressException`, `InternalServerError` */
export function awsError(name: string, status = 400, extra: object = {}): Reply {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return jsonReply(status, { __type: type, message: `canned ${name}`, ...extra });
}

/**
 * A cancelled transaction. One reason for each action, in order: a code as `None`,
 * `ConditionalCheckFailed`, `TransactionConflict`, `ThrottlingError`, or a whole reason with an Item.
 */
export function transactionCancelled(...reasons: (string | { Code: string })[]): Reply {
  return awsError('TransactionCanceledException', 400, {
    CancellationReasons: reasons.map((reason) =>
      typeof reason === 'string' ? { Code: reason } : reason,
    ),
  });
}

export const throttled = () => awsError('ThrottlingException');
export const internalServerError = () => awsError('InternalServerError', 500);
export const transactionInProgress = () => awsError('TransactionInProgressException');

/** What a load balancer in trouble says, with whatever status. */
export function htmlReply(status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<html><body>Service</body></html>'),
  };
}
