// The one way to DynamoDB. One send is one request: the SDK's own retries are off, since they hide
// whether an earlier try may have been applied. Time limits are explicit; the SDK has none by default.

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

export type StoreTimes = {
  /** TCP and TLS, milliseconds. */
  readonly connectTimeoutMs: number;
  /** One try from first byte to last, milliseconds. */
  readonly tryTimeoutMs: number;
};

/** Sockets of one function instance: it serves one request at a time, the local stack many. */
const SOCKETS_MAX = 128;

export function createDynamoDbClient(
  times: StoreTimes,
  connection: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'> = {},
): DynamoDBClient {
  return new DynamoDBClient({
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
}
