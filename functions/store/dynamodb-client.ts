// The one way to DynamoDB. One send is one request: the SDK's own retries are off, since they hide
// whether an earlier try may have been applied. Time limits are explicit; the SDK has none by default.

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

export type StoreTimes = {
  /** TCP and TLS, milliseconds. */
  readonly connectTimeoutMs: number;
  /** One try from first byte to last, milliseconds. */
  readonly tryTimeoutMs: number;
};

/** Told of every call that failed, by names alone: a message may quote what was sent. */
export type StoreFailureReport = (call: string, failure: string) => void;

/** Answers that say no to a condition, and our own guard: outcomes, not failures. */
const EXPECTED: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'NotSentError',
]);

/** Sockets of one function instance: it serves one request at a time, the local stack many. */
const SOCKETS_MAX = 128;

export function createDynamoDbClient(
  times: StoreTimes,
  connection: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'> = {},
  onFailure: StoreFailureReport = () => undefined,
): DynamoDBClient {
  const client = new DynamoDBClient({
    ...connection,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: times.connectTimeoutMs,
      requestTimeout: times.tryTimeoutMs,
      socketTimeout: times.tryTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS_MAX, keepAlive: true },
      httpsAgent: { maxSockets: SOCKETS_MAX, keepAlive: true },
    },
  });
  client.middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      async (args) => {
        try {
          return await next(args);
        } catch (error) {
          const name = error instanceof Error ? error.name : typeof error;
          if (!EXPECTED.has(name)) onFailure(commandName, name);
          throw error;
        }
      },
    { step: 'initialize', name: 'reportFailures' },
  );
  return client;
}
